import { parseQuantity, type Quantity } from '@ashlar/core';
import type { PodSpec } from '../core/pod-types.ts';
import type { Container, ResourceList } from '../pods/container-types.ts';

/** Amounts by the name of their resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

/**
 * What the containers of a pod request, or are limited to, together: those that run at the same time are added, and an init container
 * counts where it alone needs more. Init containers that go on running are added to all that start after them.
 */
export function podResources(
  { containers, initContainers = [] }: PodSpec,
  part: 'limits' | 'requests',
): Amounts {
  const total = new Map<string, Quantity>();
  const running = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  for (const container of containers ?? []) addTo(total, container.resources?.[part]);
  for (const container of initContainers) {
    const own = container.resources?.[part];
    const names = Object.keys(own ?? {});
    if (isSidecar(container)) {
      addTo(total, own);
      addTo(running, own);
      raiseTo(starting, running, names);
    } else {
      // what runs beside it has been counted before, apart from its own resources
      const together = new Map(names.flatMap((name) => entryOf(running, name)));
      addTo(together, own);
      raiseTo(starting, together, names);
    }
  }
  raiseTo(total, starting, starting.keys());
  return total;
}

const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

/** Adds amounts to a sum. */
export function addTo(sum: Map<string, Quantity>, amounts: ResourceList = {}): void {
  for (const [name, text] of Object.entries(amounts)) {
    const amount = parseQuantity(text);
    sum.set(name, sum.get(name)?.add(amount) ?? amount);
  }
}

/** Raises amounts of some names to others. */
function raiseTo(sum: Map<string, Quantity>, amounts: Amounts, names: Iterable<string>): void {
  for (const name of names) {
    const [current, amount] = [sum.get(name), amounts.get(name)];
    if (amount && (!current || amount.compare(current) > 0)) sum.set(name, amount);
  }
}

function entryOf(amounts: Amounts, name: string): readonly (readonly [string, Quantity])[] {
  const amount = amounts.get(name);
  return amount ? [[name, amount]] : [];
}
