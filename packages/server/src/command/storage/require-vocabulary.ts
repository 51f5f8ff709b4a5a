import type { Vocabulary } from '@ashlar/core';
import type { KeyValueStore } from '@ashlar/storage';
import { findForeignContent } from '../../assembly/store-vocabulary.ts';
import { UsageError } from '../usage-error.ts';
import { type StorageLocation, storageLocationText } from './storage-location.ts';

/**
 * Rejects a store with objects of another vocabulary, or of another program, and closes it.
 * @throws UsageError
 */
export async function requireVocabulary(
  store: KeyValueStore,
  vocabulary: Vocabulary,
  location: StorageLocation,
): Promise<void> {
  const content = await findForeignContent(store, vocabulary);
  if (content === undefined) return;
  await store[Symbol.asyncDispose]();
  const flag = content.includes('of the vocabulary') ? 'flag --vocabulary: ' : '';
  throw new UsageError(`${flag}${storageLocationText(location)} holds ${content}; ${remedy(location)}`);
}

function remedy({ engine }: StorageLocation): string {
  if (engine === 'etcd') return 'choose another prefix with --etcd-prefix';
  if (engine === 'postgres') return 'choose another schema with --postgres-schema';
  return 'choose another file with --storage sqlite:FILE, or delete this one';
}
