import type { Vocabulary } from '@ashlar/core';
import { endpoints } from './core/endpoints.ts';
import { nodes } from './core/nodes.ts';
import { persistentVolumeClaims } from './core/persistent-volume-claims.ts';
import { persistentVolumes } from './core/persistent-volumes.ts';
import { podTemplates, pods } from './core/pods.ts';
import { limitRanges, resourceQuotas } from './core/quotas.ts';
import { replicationControllers } from './core/replication-controllers.ts';
import { services } from './core/services.ts';
import type { WorkloadResource } from './workload-resource.ts';

const TYPES: readonly ((vocabulary: Vocabulary) => WorkloadResource)[] = [
  endpoints,
  limitRanges,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  podTemplates,
  replicationControllers,
  resourceQuotas,
  services,
];

/**
 * The kinds that clusters are made of, as stored and typed objects: pods, services, deployments, … Nobody runs them. In the order
 * of registration: the core group, then the others by their priority. What compiles, compiles at first use.
 *
 * @example
 * const server = createApiServer({ vocabulary, resources: workloadResources(vocabulary) });
 */
export function workloadResources(vocabulary: Vocabulary): readonly WorkloadResource[] {
  return TYPES.map((type) => type(vocabulary));
}
