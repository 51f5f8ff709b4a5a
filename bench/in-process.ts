// npx tsx --conditions=@ashlar/source bench/in-process.ts: what a server of its own costs a test.
import { createApiServer } from '@ashlar/server';

const OBJECTS = 100_000;
const median = (figures: readonly number[]): number =>
  [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? Number.NaN;

async function firstRequest(): Promise<number> {
  const start = performance.now();
  const server = createApiServer();
  await server.ready;
  await server.fetch(new Request('http://server/api/v1/namespaces/default'));
  const elapsed = performance.now() - start;
  await server.close();
  return elapsed;
}

// Node loads its own classes of requests at their first use, whoever uses them
const loading = performance.now();
new Request('http://server/');
const loaded = performance.now() - loading;
const cold = await firstRequest();
const warm: number[] = [];
for (let i = 0; i < 20; i++) warm.push(await firstRequest());

const server = createApiServer();
await server.ready;
const configMaps = server.client
  .resource({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
  .namespace('default');
for (let i = 0; i < OBJECTS; i += 1000) {
  await Promise.all(
    Array.from({ length: 1000 }, (_, j) =>
      configMaps.create({ metadata: { name: `o${i + j}` }, data: { a: 'b' } }),
    ),
  );
}
const forks: number[] = [];
for (let i = 0; i < 50; i++) {
  const start = performance.now();
  const fork = server.fork();
  forks.push(performance.now() - start);
  await fork.ready;
  await fork.close();
}
await server.close();
console.log(
  `a server and its first answer: ${cold.toFixed(1)} ms cold (and ${loaded.toFixed(1)} ms for Node's first Request), ${median(warm).toFixed(1)} ms warm`,
);
console.log(
  `a fork with ${OBJECTS.toLocaleString('en')} objects: ${median(forks).toFixed(3)} ms, the slowest of 50 ${Math.max(...forks).toFixed(3)} ms`,
);
