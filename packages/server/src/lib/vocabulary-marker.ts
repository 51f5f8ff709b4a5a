import type { Vocabulary } from '@ashlar/core';
import type { KeyValueStore } from '@ashlar/storage';
import { UsageError } from './usage-error.ts';

const KEY = '/ashlar/vocabulary';

/**
 * Objects are stored with the names of one vocabulary; a store is refused under another, whose names nobody would find.
 * @throws UsageError
 */
export async function requireVocabulary(
  store: KeyValueStore,
  vocabulary: Vocabulary,
  file: string,
): Promise<void> {
  const marker = await store.get(KEY);
  const kept = marker && new TextDecoder().decode(marker.value);
  if (kept === vocabulary.name) return;
  if (kept === undefined) {
    await store.put(KEY, new TextEncoder().encode(vocabulary.name));
    return;
  }
  await store[Symbol.asyncDispose]();
  throw new UsageError(
    `flag --vocabulary: ${file} holds objects of the vocabulary ${kept}, not ${vocabulary.name}; name another file with --storage sqlite:FILE, or delete this one`,
  );
}
