import { type ApiObject, kubernetesVocabulary, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { endpoints } from './endpoints.ts';

/** What a table shows of endpoints. */
function shown(subsets: readonly object[]): unknown {
  const [version] = endpoints(kubernetesVocabulary).versions;
  const column = version?.columns?.find(({ name }) => name === 'Endpoints');
  return column?.cell({ metadata: { name: 'a' }, subsets } as unknown as ApiObject, 0);
}

const addresses = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, i) => ({ ip: `10.0.0.${i % 250}` }));

describe('endpoints in a table', () => {
  it.each([
    ['none', [], '<none>'],
    ['an address without ports', [{ addresses: addresses(1) }], '10.0.0.0'],
    ['an address of version 6', [{ addresses: [{ ip: '::1' }], ports: [{ port: 80 }] }], '[::1]:80'],
    [
      'two subsets',
      [
        { addresses: addresses(2), ports: [{ port: 80 }] },
        { addresses: addresses(2), ports: [{ port: 90 }] },
      ],
      '10.0.0.0:80,10.0.0.1:80,10.0.0.0:90 + 1 more...',
    ],
    ['only those that are not ready', [{ notReadyAddresses: addresses(1), ports: [{ port: 80 }] }], ''],
  ])('are %s', (_, subsets, text) => {
    expect(shown(subsets)).toBe(text);
  });

  it('are counted, not made, however many addresses and ports there are', () => {
    const ports = Array.from({ length: 50_000 }, (_, i) => ({ name: `p${i}`, port: 80 }));
    expect(shown([{ addresses: addresses(60_000), ports }])).toBe(
      '10.0.0.0:80,10.0.0.1:80,10.0.0.2:80 + 2999999997 more...',
    );
  });
});

describe('endpoints that are validated', () => {
  const { strategy } = endpoints(kubernetesVocabulary);
  const stepsOf = (subsets: readonly object[]) =>
    strategy.validateSteps?.({ metadata: { name: 'a' }, subsets } as unknown as ApiObject) ?? [];
  const errorsOf = (subsets: readonly object[]): readonly string[] =>
    runAtOnce(stepsOf(subsets) as ReturnType<NonNullable<typeof strategy.validateSteps>>).map(
      ({ field }) => field ?? '',
    );

  it('have the errors of all subsets in their order, at most one more than a response lists', () => {
    const wrong = { addresses: [{ ip: 'x' }], ports: [{ port: 0, protocol: 'TCP' }] };
    expect(errorsOf([{}, wrong])).toEqual([
      'subsets[0]',
      ...['subsets[1].addresses[0].ip', 'subsets[1].addresses[0].ip', 'subsets[1].ports[0].port'],
    ]);
    expect(errorsOf([{ addresses: addresses(1) }])).toEqual([]);
    expect(errorsOf(Array.from({ length: 200 }, () => ({})))).toHaveLength(101);
  });

  it.each([
    ['addresses', [{ addresses: addresses(5_000) }]],
    ['addresses that are not ready', [{ notReadyAddresses: addresses(5_000) }]],
    ['subsets', Array.from({ length: 5_000 }, () => ({ addresses: addresses(1) }))],
  ])('let others in between %s', (_, subsets) => {
    expect([...stepsOf(subsets)].length).toBeGreaterThan(50);
  });
});
