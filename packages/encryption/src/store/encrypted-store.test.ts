import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, createObjectStore, type KeyValueStore } from '@ashlar/storage';
import { testKeyValueStore, testObjectStore } from '@ashlar/storage/testing';
import { createSqliteStore } from '@ashlar/storage-sqlite';
import { withWatchCache } from '@ashlar/watch-cache';
import { afterAll, describe, test } from 'vitest';
import type { Encryption } from '../configuration/create-encryption.ts';
import { encryptSecrets, keyOf } from '../encryption.fixture.ts';
import { createEncryptedStore } from './encrypted-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'ashlar-encryption-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const everything = (): Encryption =>
  encryptSecrets([{ aesgcm: { keys: [keyOf('k', 1)] } }], { resources: ['*.*'] }).encryption;

/** Every value is decrypted later: as with a key service that must be asked each time. */
function asynchronous(encryption: Encryption): Encryption {
  return {
    ...encryption,
    transformerOf(resource) {
      const { fromStorage, toStorage } = encryption.transformerOf(resource);
      const transformer = encryption.transformerOf(resource);
      return {
        fromStorage: async (...of) => fromStorage.apply(transformer, of),
        toStorage: async (...of) => toStorage.apply(transformer, of),
      };
    },
  };
}

const encrypted = (store: KeyValueStore, encryption: Encryption, clock: never): KeyValueStore =>
  createEncryptedStore(store, { encryption: { current: encryption }, ambient: { clock } });

testKeyValueStore(
  'encrypted memory store',
  ({ clock }) => encrypted(createMemoryStore({ clock }), everything(), clock as never),
  { describe, test, historyMilliseconds: 300_000 },
);

testKeyValueStore(
  'memory store whose values are decrypted asynchronously',
  ({ clock }) => encrypted(createMemoryStore({ clock }), asynchronous(everything()), clock as never),
  { describe, test, historyMilliseconds: 300_000, runs: 20 },
);

testKeyValueStore(
  'encrypted SQLite store',
  async ({ clock, id }) =>
    encrypted(
      await createSqliteStore({ clock, file: join(folder, `${id}.db`) }),
      everything(),
      clock as never,
    ),
  { describe, test, historyMilliseconds: 300_000, runs: 20 },
);

testKeyValueStore(
  'encrypted store over a watch cache',
  ({ clock }) =>
    encrypted(withWatchCache(createMemoryStore({ clock }), { clock }), everything(), clock as never),
  { describe, test, historyMilliseconds: 300_000, runs: 20 },
);

for (const [name, encryption] of [
  ['an encrypted store', everything],
  ['a store whose values are decrypted asynchronously', () => asynchronous(everything())],
] as const)
  testObjectStore(
    `object store over ${name}`,
    ({ clock, codec }) => {
      const store = encrypted(createMemoryStore({ clock }), encryption(), clock as never);
      return {
        store: createObjectStore(store, { codec, clock }),
        compact: async (revision) => store.compact(revision),
        dispose: async () => store[Symbol.asyncDispose](),
      };
    },
    { describe, test },
  );
