// npx tsx --conditions=@ashlar/source bench/idle-watchers.ts: what an event costs with 10,000 watchers that
// do not receive it.
import { kubernetesVocabulary } from '@ashlar/core';
import { type ApiServer, createApiServer } from '@ashlar/server';
import { configMap } from './workloads.ts';

const IDLE = 10_000;
const WRITES = 200;
const ROUNDS = 8;
const BASE = 'http://server/api/v1/namespaces/default/configmaps';
const headers = { 'content-type': 'application/json' };

async function watch(server: ApiServer, url: string): Promise<ReadableStreamDefaultReader> {
  const query = 'watch=1&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan';
  const response = await server.fetch(new Request(`${url}${url.includes('?') ? '&' : '?'}${query}`));
  if (response.status !== 200 || !response.body) throw new Error(`watch: ${response.status}`);
  return response.body.getReader();
}

/**
 * A server with one watcher that receives events, and others; returns the cost of a write and its event, in
 * CPU microseconds.
 */
async function createStage(urlOf: ((i: number) => string) | undefined): Promise<() => Promise<number>> {
  const server = createApiServer({ vocabulary: kubernetesVocabulary });
  await server.ready;
  const body = configMap('default', 'a', '0');
  await server.fetch(new Request(BASE, { method: 'POST', headers, body }));
  for (let i = 0; urlOf && i < IDLE; i++) await watch(server, urlOf(i));
  const reader = await watch(server, BASE);
  let n = 1;
  return async () => {
    const { user, system } = process.cpuUsage();
    for (let i = 0; i < WRITES; i++) {
      const init = { method: 'PUT', headers, body: configMap('default', 'a', String(n++)) };
      await server.fetch(new Request(`${BASE}/a`, init));
      await reader.read();
    }
    const after = process.cpuUsage();
    return (after.user - user + after.system - system) / WRITES;
  };
}

const stages = {
  'no other watchers': await createStage(undefined),
  'of other namespaces': await createStage((i) => BASE.replace('default', `other-${i}`)),
  'of other names': await createStage((i) => `${BASE}?fieldSelector=metadata.name%3Do${i}`),
  'of other labels': await createStage((i) => `${BASE}?labelSelector=app%3Do${i}`),
};
const figures = Object.entries(stages).map(([name, run]) => ({ name, run, least: Number.POSITIVE_INFINITY }));
for (const { run } of figures) await run();
for (let round = 0; round < ROUNDS; round++) {
  for (const figure of figures) figure.least = Math.min(figure.least, await figure.run());
}
const alone = figures[0]?.least ?? Number.NaN;
for (const { name, least } of figures) {
  console.log(
    `${name.padEnd(22)} ${least.toFixed(0).padStart(6)} µs of CPU a write, ${(least / alone).toFixed(2)} ×`,
  );
}
process.exit();
