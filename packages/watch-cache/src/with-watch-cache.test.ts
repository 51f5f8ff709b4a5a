import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, createObjectStore } from '@ashlar/storage';
import { testKeyValueStore, testObjectStore } from '@ashlar/storage/testing';
import { createSqliteStore } from '@ashlar/storage-sqlite';
import { afterAll, describe, test } from 'vitest';
import { withWatchCache } from './with-watch-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'ashlar-watch-cache-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

testKeyValueStore(
  'memory store with a watch cache',
  ({ clock }) => withWatchCache(createMemoryStore({ clock }), { clock }),
  { describe, test, historyMilliseconds: 300_000 },
);

testKeyValueStore(
  'memory store with a watch cache that forgets at once',
  ({ clock }) => withWatchCache(createMemoryStore({ clock }), { clock, historyLimit: 2 }),
  { describe, test, historyMilliseconds: 300_000 },
);

testKeyValueStore(
  'memory store with a watch cache of a part of the keys',
  ({ clock }) => withWatchCache(createMemoryStore({ clock }), { clock, prefix: '/a/' }),
  { describe, test, historyMilliseconds: 300_000 },
);

testKeyValueStore(
  'SQLite store with a watch cache',
  async ({ clock, id }) =>
    withWatchCache(await createSqliteStore({ clock, file: join(folder, `${id}.db`) }), { clock }),
  { describe, test, historyMilliseconds: 300_000, runs: 20 },
);

testObjectStore(
  'object store over the memory engine with a watch cache',
  ({ clock, codec }) => {
    const cache = withWatchCache(createMemoryStore({ clock }), { clock });
    return {
      store: createObjectStore(cache, { codec, clock }),
      compact: async (revision) => cache.compact(revision),
      dispose: async () => cache[Symbol.asyncDispose](),
    };
  },
  { describe, test },
);

testObjectStore(
  'object store over the SQLite engine with a watch cache',
  async ({ clock, codec, id }) => {
    const engine = await createSqliteStore({ clock, file: join(folder, `${id}-objects.db`) });
    const cache = withWatchCache(engine, { clock });
    return {
      store: createObjectStore(cache, { codec, clock }),
      compact: async (revision) => cache.compact(revision),
      dispose: async () => cache[Symbol.asyncDispose](),
    };
  },
  { describe, test },
);
