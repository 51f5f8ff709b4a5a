import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeClock } from '@ashlar/http-node';
import { createMemoryStore, type KeyValueStore } from '@ashlar/storage';
import { createSqliteStore } from '@ashlar/storage-sqlite';
import { bench, describe } from 'vitest';
import { withWatchCache } from './with-watch-cache.ts';

const SIZE = 10_000;
const clock = nodeClock;
const value = new TextEncoder().encode(JSON.stringify({ text: 'x'.repeat(1000) }));
const key = (i: number): string => `/pods/default/pod-${String(i % SIZE).padStart(6, '0')}`;

async function filled(store: KeyValueStore): Promise<KeyValueStore> {
  await Promise.all(Array.from({ length: SIZE }, (_, i) => store.put(key(i), value)));
  await store.get(key(0));
  return store;
}

const file = join(mkdtempSync(join(tmpdir(), 'ashlar-watch-cache-bench-')), 'bench.db');
const stores: Readonly<Record<string, KeyValueStore>> = {
  memory: await filled(createMemoryStore({ clock })),
  'memory with a cache': await filled(withWatchCache(createMemoryStore({ clock }), { clock })),
  SQLite: await filled(await createSqliteStore({ clock, file })),
  'SQLite with a cache': await filled(
    withWatchCache(await createSqliteStore({ clock, file: `${file}-cached` }), { clock }),
  ),
};

let i = 0;
/** The next key, far from the one before. */
const next = (): string => {
  i += 7919;
  return key(i);
};

const each = (run: (store: KeyValueStore) => unknown): void => {
  for (const [name, store] of Object.entries(stores)) {
    bench(name, async () => {
      await run(store);
    });
  }
};

// whether an engine that reads from memory gains anything by a cache
describe('get', () => each((store) => store.get(next())));
describe('range of 500', () => each((store) => store.range('/pods/', { limit: 500, after: next() })));
describe('put', () => each((store) => store.put(next(), value)));
