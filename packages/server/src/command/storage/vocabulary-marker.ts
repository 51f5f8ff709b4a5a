import type { Vocabulary } from '@ashlar/core';
import type { Entry, KeyValueStore } from '@ashlar/storage';
import { UsageError } from '../usage-error.ts';
import { type StorageLocation, storageLocationText } from './storage-location.ts';

const KEY = '/ashlar/vocabulary';

/**
 * Objects are stored with the names of one vocabulary; a store is refused under another, whose names nobody would find, and
 * so is one that somebody else has filled, such as the etcd of another API server.
 * @throws UsageError
 */
export async function requireVocabulary(
  store: KeyValueStore,
  vocabulary: Vocabulary,
  location: StorageLocation,
): Promise<void> {
  // Asked before the marker: what lies in a store without one was not written by another server that begins just now.
  const [first] = (await store.range('/', { limit: 1 })).entries;
  const marker = (await store.get(KEY)) ?? (await mark(store, vocabulary, location, first));
  const kept = marker && new TextDecoder().decode(marker.value);
  if (kept === undefined || kept === vocabulary.name) return;
  await store[Symbol.asyncDispose]();
  throw new UsageError(
    `flag --vocabulary: ${storageLocationText(location)} holds objects of the vocabulary ${kept}, not ${vocabulary.name}; ${wayOut(location)}`,
  );
}

/** Writes the marker into an empty store; answers what another server has written before. */
async function mark(
  store: KeyValueStore,
  { name }: Vocabulary,
  location: StorageLocation,
  foreign: Entry | undefined,
): Promise<Entry | undefined> {
  if (foreign) {
    await store[Symbol.asyncDispose]();
    throw new UsageError(
      `${storageLocationText(location)} holds ${foreign.key}, which no ashlar server wrote; ${wayOut(location)}`,
    );
  }
  const result = await store.put(KEY, new TextEncoder().encode(name), { ifRevision: 0 });
  return result.ok ? undefined : result.current;
}

const wayOut = ({ engine }: StorageLocation): string =>
  engine === 'etcd'
    ? 'name another place with --etcd-prefix'
    : 'name another file with --storage sqlite:FILE, or delete this one';
