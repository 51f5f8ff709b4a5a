import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { createMemoryStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import { requireVocabulary } from './require-vocabulary.ts';

const location = { engine: 'etcd', endpoints: ['http://etcd:2379'] } as const;
const emptyStore = () => createMemoryStore({ clock: nodeAmbient(orchVocabulary).clock });

describe('requireVocabulary', () => {
  it('marks an empty store once, also if several servers start together', async () => {
    const store = emptyStore();
    await Promise.all([1, 2, 3].map(() => requireVocabulary(store, orchVocabulary, location)));
    expect((await store.range('/')).entries).toHaveLength(1);
  });

  it('rejects a store of another vocabulary', async () => {
    const store = emptyStore();
    await requireVocabulary(store, orchVocabulary, location);
    await expect(requireVocabulary(store, kubernetesVocabulary, location)).rejects.toThrow(
      'flag --vocabulary: etcd:http://etcd:2379 holds objects of the vocabulary orch, not kubernetes; choose another prefix with --etcd-prefix',
    );
  });

  it('rejects a store that a newer version wrote', async () => {
    const store = emptyStore();
    await store.put('/ashlar/vocabulary', new TextEncoder().encode('orch 2'));
    await expect(requireVocabulary(store, orchVocabulary, location)).rejects.toThrow(
      'etcd:http://etcd:2379 holds objects in format 2, which a newer version wrote: this one knows formats up to 1; choose',
    );
  });

  it('rejects a store with foreign content', async () => {
    const store = emptyStore();
    await store.put('/pods/default/a', new Uint8Array([1]));
    await expect(requireVocabulary(store, orchVocabulary, location)).rejects.toThrow(
      'etcd:http://etcd:2379 holds /pods/default/a, which was not written by an ashlar server; choose another prefix with --etcd-prefix',
    );
  });
});
