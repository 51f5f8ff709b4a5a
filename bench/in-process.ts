// npx tsx --conditions=@ashlar/source bench/in-process.ts: what a server of its own costs a test.
import { execFileSync } from 'node:child_process';
import { createApiServer } from '@ashlar/server';

const OBJECTS = 100_000;
/** Processes whose first server is measured. */
const PROCESSES = 9;
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

/** Milliseconds of the first server of this process. Node loads its own classes of requests at their first use, whoever uses them. */
async function coldRequest(): Promise<number> {
  new Request('http://server/');
  await new Response('').text();
  return firstRequest();
}

const inProcess = (...parameters: readonly string[]): string =>
  execFileSync(process.execPath, parameters, { encoding: 'utf8' });

/** Milliseconds of a process of Node that does nothing: by it machines and minutes are compared. */
function nodeItself(): number {
  const start = performance.now();
  inProcess('--eval', '0');
  return performance.now() - start;
}

if (process.argv[2] === 'cold') {
  console.log(await coldRequest());
  process.exit();
}
const rounds = Array.from({ length: PROCESSES }, () => ({
  node: nodeItself(),
  server: Number(inProcess(...process.execArgv, import.meta.filename, 'cold')),
}));
const cold = median(rounds.map(({ server }) => server));
const node = median(rounds.map(({ node }) => node));
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
  `a server and its first answer: ${cold.toFixed(1)} ms cold (median of ${PROCESSES} processes, where Node itself starts in ${node.toFixed(1)} ms), ${median(warm).toFixed(1)} ms warm`,
);
console.log(
  `a fork with ${OBJECTS.toLocaleString('en')} objects: ${median(forks).toFixed(3)} ms, the slowest of 50 ${Math.max(...forks).toFixed(3)} ms`,
);
