import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { createManualClock } from '@ashlar/core/testing';
import { createMemoryStore, type MemoryStore, StoreClosedError } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import { UsageError } from './usage-error.ts';
import { requireVocabulary } from './vocabulary-marker.ts';

const location = { engine: 'sqlite', file: 'a.db' } as const;
const newStore = (): MemoryStore => createMemoryStore({ clock: createManualClock() });

describe('requireVocabulary', () => {
  it('marks an empty store, and takes it again under the same names', async () => {
    const store = newStore();
    await requireVocabulary(store, orchVocabulary, location);
    const revision = store.currentRevision();
    await requireVocabulary(store, orchVocabulary, location);
    expect(store.currentRevision()).toBe(revision);
  });

  it('refuses it under others, and lets it go', async () => {
    const store = newStore();
    await requireVocabulary(store, orchVocabulary, location);
    const refused = requireVocabulary(store, kubernetesVocabulary, location);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(
      'flag --vocabulary: sqlite:a.db holds objects of the vocabulary orch, not kubernetes; ' +
        'name another file with --storage sqlite:FILE, or delete this one',
    );
    expect(() => store.get('/a')).toThrow(StoreClosedError);
  });

  it('refuses a store that somebody else has filled', async () => {
    const store = newStore();
    store.put('/registry/pods/a', new Uint8Array(1));
    const etcd = { engine: 'etcd', endpoints: ['http://a:1'] } as const;
    await expect(requireVocabulary(store, orchVocabulary, etcd)).rejects.toThrow(
      'etcd:http://a:1 holds /registry/pods/a, which no ashlar server wrote; name another place with --etcd-prefix',
    );
  });

  it('lets one of two servers that begin at once decide', async () => {
    const store = newStore();
    const begun = await Promise.allSettled([
      requireVocabulary(store, orchVocabulary, location),
      requireVocabulary(store, kubernetesVocabulary, location),
    ]);
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
