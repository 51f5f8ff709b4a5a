import type { AdmissionPlugin } from '@ashlar/admission';
import type { ApiObject, Vocabulary } from '@ashlar/core';
import type { Toleration } from '../pods/placement-types.ts';

interface TolerantPod extends ApiObject {
  readonly spec?: { readonly tolerations?: readonly Toleration[] };
}

/** How long pods stay on a node that fails. Default 300 each. */
export interface TolerationSeconds {
  readonly notReady?: number;
  readonly unreachable?: number;
}

const TOLERATION_SECONDS = 300;

/** Has pods tolerate nodes that are not ready or unreachable for a time, unless they say for how long (semantics/admission). */
export function createDefaultTolerations(
  { labelDomain }: Vocabulary,
  { notReady = TOLERATION_SECONDS, unreachable = TOLERATION_SECONDS }: TolerationSeconds = {},
): AdmissionPlugin {
  const taints = new Map([
    [`node.${labelDomain}/not-ready`, notReady],
    [`node.${labelDomain}/unreachable`, unreachable],
  ]);
  return {
    name: 'DefaultTolerationSeconds',
    handles: ({ resource, subresource, operation }) =>
      resource.group === '' &&
      resource.resource === 'pods' &&
      subresource === '' &&
      (operation === 'CREATE' || operation === 'UPDATE'),
    admit({ object }) {
      const pod = object as TolerantPod;
      const tolerations = pod.spec?.tolerations ?? [];
      const missing = [...taints].filter(([taint]) => !tolerations.some((each) => tolerates(each, taint)));
      if (missing.length === 0) return undefined;
      const added = missing.map(([key, tolerationSeconds]) => ({
        key,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds,
      }));
      return { ...pod, spec: { ...pod.spec, tolerations: [...tolerations, ...added] } } as ApiObject;
    },
  };
}

const tolerates = ({ key = '', effect = '' }: Toleration, taint: string): boolean =>
  (key === '' || key === taint) && (effect === '' || effect === 'NoExecute');
