import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ServedGroupVersion } from '../catalog/api-catalog.ts';
import { StorageVersionHashes } from './discovery.ts';

/** A version of many resource types. */
function versionOf(count: number): ServedGroupVersion {
  const resources = Array.from({ length: count }, (_, i) => {
    const names = { plural: `notes${i}`, singular: `note${i}`, kind: `Note${i}` };
    const definition = {
      group: 'example.com',
      names,
      versions: [{ name: 'v1', served: true, storage: true }],
    };
    return [names.plural, { definition }] as const;
  });
  return {
    group: 'example.com',
    version: 'v1',
    resources: new Map(resources),
  } as unknown as ServedGroupVersion;
}

describe('hashes of storage versions', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('are computed once, however many wait for them', async () => {
    const digest = vi.spyOn(crypto.subtle, 'digest');
    const hashes = new StorageVersionHashes({});
    const version = versionOf(5);
    await Promise.all(Array.from({ length: 20 }, () => hashes.prepare(version)));
    expect(digest).toHaveBeenCalledTimes(5);
    const [first, second] = [...version.resources.values()].map(({ definition }) => hashes.of(definition));
    expect(first).toMatch(/^[A-Za-z0-9+/]{11}=$/);
    expect(second).not.toBe(first);
  });

  it('are computed a few in a turn', async () => {
    let turns = 0;
    const pause = async (): Promise<void> => {
      turns++;
    };
    const hashes = new StorageVersionHashes({
      turns: { pause, requestBegan: () => {}, atEndOfTurn: () => {} },
    });
    await hashes.prepare(versionOf(40));
    expect(turns).toBe(2);
    await hashes.prepare(versionOf(3));
    expect(turns).toBe(2);
  });
});
