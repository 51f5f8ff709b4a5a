import type { AdmissionPlugin } from '@ashlar/admission';
import type { ApiObject, Vocabulary } from '@ashlar/core';

interface Taint {
  readonly key?: string;
  readonly effect?: string;
}
interface TaintedNode extends ApiObject {
  readonly spec?: { readonly taints?: readonly Taint[] };
}

/** Has nothing scheduled to a new node until it is ready (semantics/admission). */
export function createNewNodeTaint({ labelDomain }: Vocabulary): AdmissionPlugin {
  const taint: Taint = { key: `node.${labelDomain}/not-ready`, effect: 'NoSchedule' };
  return {
    name: 'TaintNodesByCondition',
    handles: ({ resource, subresource, operation }) =>
      operation === 'CREATE' && resource.group === '' && resource.resource === 'nodes' && subresource === '',
    admit({ object }) {
      const node = object as TaintedNode;
      const taints = node.spec?.taints ?? [];
      if (taints.some(({ key, effect }) => key === taint.key && effect === taint.effect)) return undefined;
      return { ...node, spec: { ...node.spec, taints: [...taints, taint] } } as ApiObject;
    },
  };
}
