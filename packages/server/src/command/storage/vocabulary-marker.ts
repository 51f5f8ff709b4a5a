import type { Vocabulary } from '@ashlar/core';
import type { Entry, KeyValueStore } from '@ashlar/storage';
import { UsageError } from '../usage-error.ts';
import { type StorageLocation, storageLocationText } from './storage-location.ts';

const KEY = '/ashlar/vocabulary';

/**
 * Rejects a store whose objects use the names of another vocabulary, which clients would not find, and
 * one with foreign content, such as the etcd of another API server. An empty store is marked with the vocabulary.
 * @throws UsageError
 */
export async function requireVocabulary(
  store: KeyValueStore,
  vocabulary: Vocabulary,
  location: StorageLocation,
): Promise<void> {
  // Read before the marker: content of a store without one was not written by another server that is starting now.
  const [first] = (await store.range('/', { limit: 1 })).entries;
  const marker = (await store.get(KEY)) ?? (await mark(store, vocabulary, location, first));
  const stored = marker && new TextDecoder().decode(marker.value);
  if (stored === undefined || stored === vocabulary.name) return;
  await store[Symbol.asyncDispose]();
  throw new UsageError(
    `flag --vocabulary: ${storageLocationText(location)} holds objects of the vocabulary ${stored}, not ${vocabulary.name}; ${remedy(location)}`,
  );
}

/** Writes the marker into an empty store; returns the marker of another server that was faster. */
async function mark(
  store: KeyValueStore,
  { name }: Vocabulary,
  location: StorageLocation,
  foreign: Entry | undefined,
): Promise<Entry | undefined> {
  if (foreign) {
    await store[Symbol.asyncDispose]();
    throw new UsageError(
      `${storageLocationText(location)} holds ${foreign.key}, which was not written by an ashlar server; ${remedy(location)}`,
    );
  }
  const result = await store.put(KEY, new TextEncoder().encode(name), { ifRevision: 0 });
  return result.ok ? undefined : result.current;
}

const remedy = ({ engine }: StorageLocation): string =>
  engine === 'etcd'
    ? 'choose another prefix with --etcd-prefix'
    : 'choose another file with --storage sqlite:FILE, or delete this one';
