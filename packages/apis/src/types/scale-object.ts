import type { ApiObject, ObjectMeta } from '@ashlar/core';
import { SUBRESOURCE_VERBS, type ViewSubresource } from '@ashlar/registry';
import { scaleSchema } from '../workloads/shapes/autoscaling/scale.ts';

/** The desired and actual number of replicas of an object (semantics/verbs#subresources). */
export interface Scale extends ApiObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number; readonly selector?: string };
}

/** The parts that the `scale` subresources of all kinds share. */
export const scaleKind: Pick<
  ViewSubresource,
  'name' | 'group' | 'version' | 'kind' | 'schema' | 'verbs' | 'formerVersions'
> = {
  name: 'scale',
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  schema: scaleSchema,
  verbs: SUBRESOURCE_VERBS,
  formerVersions: ['apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1'],
};

/**
 * Returns the Scale of an object. Desired replicas of 0 and an empty selector are omitted.
 * @param selector label selector in query form, such as `a=b,c in (d,e)`
 */
export function scaleObject(
  { metadata }: { readonly metadata: ObjectMeta },
  replicas: { readonly desired: number; readonly actual: number },
  selector: string,
): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name && { name }),
      ...(namespace && { namespace }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
      creationTimestamp: creationTimestamp ?? null,
    },
    spec: replicas.desired === 0 ? {} : { replicas: replicas.desired },
    status: { replicas: replicas.actual, ...(selector !== '' && { selector }) },
  };
}
