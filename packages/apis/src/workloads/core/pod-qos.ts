import { parseQuantity, type Quantity } from '@ashlar/core';
import type { Container, ResourceList } from '../pods/container-types.ts';
import type { Pod, PodSpec } from './pod-types.ts';

const COUNTED = ['cpu', 'memory'] as const;

/** The class that a pod's status names, even one that was sent with a new pod; else the one that its spec has. */
export const qosClassOf = ({ spec = {}, status }: Pod): string => status?.qosClass || qosClass(spec);

/** The quality of service class of a pod: `Guaranteed`, `Burstable` or `BestEffort`. */
function qosClass({ containers, initContainers = [] }: PodSpec): string {
  const all = [...(containers ?? []), ...initContainers];
  const requests = sum(all, 'requests');
  const limits = sum(all, 'limits');
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const guaranteed =
    all.every(limitsBoth) &&
    requests.size === limits.size &&
    [...requests].every(([name, amount]) => limits.get(name)?.compare(amount) === 0);
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

const limitsBoth = ({ resources }: Container): boolean =>
  COUNTED.every((name) => isPositive(resources?.limits?.[name]));

function sum(containers: readonly Container[], part: 'requests' | 'limits'): ReadonlyMap<string, Quantity> {
  const sums = new Map<string, Quantity>();
  for (const { resources } of containers) addAll(sums, resources?.[part] ?? {});
  return sums;
}

function addAll(sums: Map<string, Quantity>, amounts: ResourceList): void {
  for (const name of COUNTED) {
    const text = amounts[name];
    if (text === undefined || !isPositive(text)) continue;
    const amount = parseQuantity(text);
    sums.set(name, sums.get(name)?.add(amount) ?? amount);
  }
}

const ZERO: Quantity = parseQuantity('0');

const isPositive = (text: string | undefined): boolean =>
  text !== undefined && parseQuantity(text).compare(ZERO) > 0;
