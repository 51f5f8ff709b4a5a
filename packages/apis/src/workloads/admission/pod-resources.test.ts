import { parseQuantity, type Quantity } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PodSpec } from '../core/pod-types.ts';
import { podResources } from './pod-resources.ts';

const NAMES = ['cpu', 'memory', 'example.com/a'];

/** The most of a resource that containers need at one time, by trying each of those times. */
function peak({ containers = [], initContainers = [] }: PodSpec, name: string): Quantity | undefined {
  const of = (container: { resources?: { limits?: Readonly<Record<string, string>> } }): Quantity =>
    parseQuantity(container.resources?.limits?.[name] ?? '0');
  const sum = (amounts: readonly Quantity[]): Quantity =>
    amounts.reduce((total, amount) => total.add(amount), parseQuantity('0'));
  const isSidecar = (container: { restartPolicy?: string }): boolean => container.restartPolicy === 'Always';
  const times = initContainers.map((container, i) =>
    sum([...initContainers.slice(0, i).filter(isSidecar), container].map(of)),
  );
  times.push(sum([...initContainers.filter(isSidecar), ...(containers ?? [])].map(of)));
  const isNamed = [...(containers ?? []), ...initContainers].some((each) => each.resources?.limits?.[name]);
  return isNamed ? times.reduce((most, each) => (each.compare(most) > 0 ? each : most)) : undefined;
}

describe('podResources', () => {
  const limits = fc.dictionary(
    fc.constantFrom(...NAMES),
    fc.integer({ min: 0, max: 9 }).map((amount) => `${amount}`),
  );
  const container = fc.record({ name: fc.constant('c'), resources: fc.record({ limits }) });
  const initial = fc.record({
    name: fc.constant('c'),
    resources: fc.record({ limits }),
    restartPolicy: fc.constantFrom('Always', ''),
  });

  it('are the most that is needed at any time', () => {
    const spec = fc.record({
      containers: fc.array(container, { maxLength: 3 }),
      initContainers: fc.array(initial, { maxLength: 6 }),
    });
    fc.assert(
      fc.property(spec, (pod) => {
        const found = podResources(pod as PodSpec, 'limits');
        for (const name of NAMES)
          expect(found.get(name)?.toString()).toBe(peak(pod as PodSpec, name)?.toString());
      }),
    );
  });

  it('of ten thousand sidecars are those of each, once', () => {
    const initContainers = Array.from({ length: 10_000 }, (_, i) => ({
      name: `c${i}`,
      restartPolicy: 'Always',
      resources: { limits: { [`example.com/r${i}`]: '1' } },
    }));
    const found = podResources({ containers: [], initContainers } as unknown as PodSpec, 'limits');
    expect(found.size).toBe(10_000);
    expect(found.get('example.com/r9999')?.toString()).toBe('1');
  });
});
