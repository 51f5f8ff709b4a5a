import { type ApiObject, quantityOf } from '@ashlar/core';
import type { QuotaUsage } from './resource-usage.ts';

interface CountedService extends ApiObject {
  readonly spec?: {
    readonly type?: string;
    readonly ports?: readonly { readonly nodePort?: number }[];
    readonly allocateLoadBalancerNodePorts?: boolean;
  };
}

const NAMES: ReadonlySet<string> = new Set([
  'count/services',
  'services',
  'services.nodeports',
  'services.loadbalancers',
]);

/** Services: their number, that of their node ports, and that of load balancers. */
export const serviceUsage: QuotaUsage = {
  handles: ({ operation, subresource }) =>
    subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  isCounted: (name) => NAMES.has(name),
  names: [...NAMES],
  of(object) {
    const service = object as CountedService;
    const isBalanced = service.spec?.type === 'LoadBalancer';
    return new Map([
      ['count/services', quantityOf(1n)],
      ['services', quantityOf(1n)],
      ['services.nodeports', quantityOf(BigInt(nodePortsOf(service)))],
      ['services.loadbalancers', quantityOf(isBalanced ? 1n : 0n)],
    ]);
  },
};

/** All ports get one, unless a load balancer does without. */
function nodePortsOf({ spec = {} }: CountedService): number {
  const { type, ports = [], allocateLoadBalancerNodePorts } = spec;
  if (type !== 'NodePort' && type !== 'LoadBalancer') return 0;
  const hasChosen = type === 'LoadBalancer' && allocateLoadBalancerNodePorts === false;
  return hasChosen ? ports.filter(({ nodePort }) => nodePort).length : ports.length;
}
