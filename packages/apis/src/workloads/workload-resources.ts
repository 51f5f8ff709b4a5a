import type { Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import {
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
} from './admissionregistration/admission-policies.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from './admissionregistration/webhook-configurations.ts';
import { controllerRevisions } from './apps/controller-revisions.ts';
import { daemonSets } from './apps/daemon-sets.ts';
import { deployments } from './apps/deployments.ts';
import { replicaSets } from './apps/replica-sets.ts';
import { statefulSets } from './apps/stateful-sets.ts';
import { horizontalPodAutoscalers } from './autoscaling/autoscalers.ts';
import { cronJobs } from './batch/cron-jobs.ts';
import { jobs } from './batch/jobs.ts';
import { certificateSigningRequests } from './certificates/signing-requests.ts';
import { bindings } from './core/bindings.ts';
import { type ClusterComponent, componentStatuses } from './core/component-statuses.ts';
import { endpoints } from './core/endpoints.ts';
import { limitRanges } from './core/limit-ranges.ts';
import { nodes } from './core/nodes.ts';
import { persistentVolumeClaims } from './core/persistent-volume-claims.ts';
import { persistentVolumes } from './core/persistent-volumes.ts';
import { pods, podTemplates } from './core/pods.ts';
import { replicationControllers } from './core/replication-controllers.ts';
import { resourceQuotas } from './core/resource-quotas.ts';
import { endpointSlices } from './discovery/endpoint-slices.ts';
import { flowSchemas, priorityLevelConfigurations } from './flowcontrol/flow-types.ts';
import { ingressClasses } from './networking/ingress-classes.ts';
import { ingresses } from './networking/ingresses.ts';
import { networkPolicies } from './networking/network-policies.ts';
import { runtimeClasses } from './node/runtime-classes.ts';
import { podDisruptionBudgets } from './policy/pod-disruption-budgets.ts';
import { priorityClasses } from './scheduling/priority-classes.ts';
import { services } from './services/services.ts';
import { csiDrivers } from './storage/csi-drivers.ts';
import { csiNodes } from './storage/csi-nodes.ts';
import { csiStorageCapacities } from './storage/csi-storage-capacities.ts';
import { storageClasses } from './storage/storage-classes.ts';
import { volumeAttachments } from './storage/volume-attachments.ts';

/** What a host adds to the workload kinds. */
export interface WorkloadOptions {
  /** The components whose health `componentstatuses` tells. By default there are none. */
  readonly components?: readonly ClusterComponent[];
}

const TYPES: readonly ((vocabulary: Vocabulary, options: WorkloadOptions) => ResourceDefinition)[] = [
  bindings,
  componentStatuses,
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
  controllerRevisions,
  daemonSets,
  deployments,
  replicaSets,
  statefulSets,
  horizontalPodAutoscalers,
  cronJobs,
  jobs,
  certificateSigningRequests,
  ingressClasses,
  ingresses,
  networkPolicies,
  podDisruptionBudgets,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  storageClasses,
  volumeAttachments,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
  priorityClasses,
  runtimeClasses,
  endpointSlices,
  flowSchemas,
  priorityLevelConfigurations,
];

/**
 * The workload kinds as stored and typed objects: pods, services, deployments, … Nothing runs them. In the
 * order of registration: the core group, then the others by their priority. Schemas are compiled on first
 * use.
 *
 * @example
 * const server = createApiServer({ vocabulary, resources: workloadResources(vocabulary) });
 */
export function workloadResources(
  vocabulary: Vocabulary,
  options: WorkloadOptions = {},
): readonly ResourceDefinition[] {
  return TYPES.map((type) => type(vocabulary, options));
}
