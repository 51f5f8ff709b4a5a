import type { Vocabulary } from '@ashlar/core';
import type { Entry, KeyValueStore } from '@ashlar/storage';

/** Prefix of keys that hold no objects. */
export const OWN_KEYS = '/ashlar/';
const KEY: string = `${OWN_KEYS}vocabulary`;

/**
 * How keys and values are laid out, in every engine. The marker of a later format ends with its number; a program that does not know it must
 * not write.
 */
const FORMAT = 1;

/**
 * Looks for content of a store that a server must not touch: objects with the names of another vocabulary, which clients would not find,
 * or what no such server wrote, as in the etcd of another API server. An empty store is marked with the vocabulary.
 * @returns what the store holds, as the end of a sentence; undefined if it can be used
 */
export async function findForeignContent(
  store: KeyValueStore,
  vocabulary: Vocabulary,
): Promise<string | undefined> {
  // Read before the marker: content of a store without one was not written by another server that is starting now.
  const [first] = (await store.range('/', { limit: 1 })).entries;
  const found = await store.get(KEY);
  if (!found && first) return `${first.key}, which was not written by an ashlar server`;
  const marker = found ?? (await mark(store, vocabulary));
  const stored = marker && new TextDecoder().decode(marker.value);
  if (stored === undefined || stored === vocabulary.name) return undefined;
  const [name, format = '1'] = stored.split(' ');
  if (Number(format) > FORMAT)
    return `objects in format ${format}, which a newer version wrote: this one knows formats up to ${FORMAT}`;
  return `objects of the vocabulary ${name}, not ${vocabulary.name}`;
}

/**
 * Rejects a durable store with content of another vocabulary or program.
 * @throws TypeError
 */
export async function checkStoreVocabulary(store: KeyValueStore, vocabulary: Vocabulary): Promise<void> {
  const content = store.supports.durable ? await findForeignContent(store, vocabulary) : undefined;
  if (content === undefined) return;
  throw new TypeError(
    `option "storage" of createApiServer holds ${content}: choose another store, or the vocabulary that it was made with`,
  );
}

/** Writes the marker into an empty store; returns the marker of another server that was faster. */
async function mark(store: KeyValueStore, { name }: Vocabulary): Promise<Entry | undefined> {
  const result = await store.put(KEY, new TextEncoder().encode(name), { ifRevision: 0 });
  return result.ok ? undefined : result.current;
}
