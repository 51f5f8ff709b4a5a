import type { AdmissionPlugin } from '@ashlar/admission';
import type { ApiObject, Vocabulary } from '@ashlar/core';
import type { Toleration } from '../pods/placement-types.ts';

interface TolerantPod extends ApiObject {
  readonly spec?: { readonly tolerations?: readonly Toleration[] };
}

/** How long pods stay on a node that fails. */
const TOLERATION_SECONDS = 300;

/** Has pods tolerate nodes that are not ready or unreachable for five minutes, unless they say for how long (semantics/admission). */
export function createDefaultTolerations({ labelDomain }: Vocabulary): AdmissionPlugin {
  const taints = [`node.${labelDomain}/not-ready`, `node.${labelDomain}/unreachable`];
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
      const missing = taints.filter((taint) => !tolerations.some((each) => tolerates(each, taint)));
      if (missing.length === 0) return undefined;
      const added = missing.map((key) => ({
        key,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: TOLERATION_SECONDS,
      }));
      return { ...pod, spec: { ...pod.spec, tolerations: [...tolerations, ...added] } } as ApiObject;
    },
  };
}

const tolerates = ({ key = '', effect = '' }: Toleration, taint: string): boolean =>
  (key === '' || key === taint) && (effect === '' || effect === 'NoExecute');
