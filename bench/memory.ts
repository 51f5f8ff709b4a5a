// npx tsx --conditions=@ashlar/source --expose-gc bench/memory.ts [--objects 100000] [--cache] [--sqlite
// FILE]: what stored objects cost resident.
import { parseArgs } from 'node:util';
import { kubernetesVocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { createApiServer } from '@ashlar/server';
import { createMemoryStore, type KeyValueStore } from '@ashlar/storage';
import { createSqliteStore } from '@ashlar/storage-sqlite';
import { withWatchCache } from '@ashlar/watch-cache';
import { configMap } from './workloads.ts';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '100000' },
    cache: { type: 'boolean', default: false },
    sqlite: { type: 'string' },
  },
});
const objects = Number(values.objects);
const collect = (globalThis as { gc?: () => void }).gc;
if (!collect) throw new Error('run with --expose-gc');
const { clock } = nodeAmbient(kubernetesVocabulary);

async function settled(): Promise<NodeJS.MemoryUsage> {
  for (let i = 0; i < 4; i++) {
    collect?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage();
}

const engine: KeyValueStore = values.sqlite
  ? await createSqliteStore({ file: values.sqlite, clock })
  : createMemoryStore({ clock });
const storage = values.cache ? withWatchCache(engine, { clock }) : engine;
const server = createApiServer({ storage, vocabulary: kubernetesVocabulary });
await server.ready;
const path = 'http://server/api/v1/namespaces/default/configmaps';
const headers = { 'content-type': 'application/json' };

async function create(i: number): Promise<void> {
  const body = configMap('default', `b${String(i).padStart(6, '0')}`, String(i));
  const { status } = await server.fetch(new Request(path, { method: 'POST', headers, body }));
  if (status !== 201) throw new Error(`POST: ${status}`);
}

async function read(query: string): Promise<void> {
  const response = await server.fetch(new Request(path + query));
  for await (const _ of response.body ?? []);
}

for (let i = -1000; i < 0; i++) await create(i + 1_000_000);
await read('');
const before = await settled();

async function report(what: string): Promise<void> {
  const after = await settled();
  const each = (name: 'rss' | 'heapUsed' | 'arrayBuffers'): string =>
    ((after[name] - before[name]) / objects).toFixed(0).padStart(6);
  console.log(
    `${what.padEnd(34)} bytes an object: resident ${each('rss')}, heap ${each('heapUsed')}, buffers ${each('arrayBuffers')}`,
  );
}

for (let i = 0; i < objects; i += 100) {
  await Promise.all(Array.from({ length: 100 }, (_, j) => create(i + j)));
}
await report('created');
await read('?labelSelector=shard%3Ds3');
await report('and 10 % selected by label');
for (let page = '?limit=500'; page; ) {
  const response = await server.fetch(new Request(path + page));
  const { metadata } = (await response.json()) as { metadata: { continue?: string } };
  page = metadata.continue ? `?limit=500&continue=${metadata.continue}` : '';
}
await report('and listed in pages');
await read('');
await report('and listed whole');
await server.close();
