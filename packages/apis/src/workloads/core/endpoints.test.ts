import { type ApiObject, kubernetesVocabulary } from '@ashlar/core';
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
    ['only those that are not ready', [{ notReadyAddresses: addresses(1), ports: [{ port: 80 }] }], '<none>'],
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
