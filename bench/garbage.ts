// npx tsx --conditions=@ashlar/source bench/garbage.ts: what the garbage collector takes for 10,000 dependents, and beside 100,000 objects.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiObject } from '@ashlar/core';
import { type ApiServer, type ControllerChoice, createApiServer } from '@ashlar/server';
import { medianOf } from './rounds.ts';

const DEPENDENTS = 10_000;
const OBJECTS = 100_000;
const AT_ONCE = 500;

type Maps = ReturnType<typeof mapsOf>;
const mapsOf = ({ client }: ApiServer) =>
  client
    .resource({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
    .namespace('default');

async function start(controllers: readonly ControllerChoice[]): Promise<ApiServer> {
  const server = createApiServer({ controllers });
  await server.ready;
  return server;
}

async function createMany(maps: Maps, count: number, owner?: ApiObject): Promise<void> {
  const { apiVersion, kind, metadata } = owner ?? { apiVersion: '', kind: '', metadata: {} };
  const reference = { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '' };
  const ownerReferences = owner ? [{ ...reference, blockOwnerDeletion: true }] : [];
  for (let i = 0; i < count; i += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, j) => i + j);
    await Promise.all(
      numbers.map((number) =>
        maps.create({ metadata: { name: `o${number}`, ownerReferences }, data: { key: 'x'.repeat(500) } }),
      ),
    );
  }
}

/** Seconds that pass and seconds of CPU until something holds. */
async function measure(until: () => Promise<boolean>): Promise<string> {
  const from = performance.now();
  const { user, system } = process.cpuUsage();
  while (!(await until())) await sleep(5);
  const used = process.cpuUsage();
  const cpu = (used.user - user + used.system - system) / 1e6;
  return `${((performance.now() - from) / 1000).toFixed(2)} s, ${cpu.toFixed(2)} s of CPU`;
}

for (const propagationPolicy of ['Background', 'Foreground', 'Orphan'] as const) {
  const server = await start(['*']);
  const maps = mapsOf(server);
  const owner = await maps.create({ metadata: { name: 'owner' } });
  await createMany(maps, DEPENDENTS, owner);
  await maps.delete('owner', { propagationPolicy });
  const left = propagationPolicy === 'Orphan' ? DEPENDENTS : 0;
  const isOver = async (): Promise<boolean> => {
    const { items, metadata } = await maps.list({ limit: 1 });
    return (metadata.remainingItemCount ?? 0) + items.length === left;
  };
  console.log(`${DEPENDENTS} dependents, ${propagationPolicy}: ${await measure(isOver)}`);
  await server.close();
}

const rounds: Record<string, number> = {};
for (const controllers of [['*', '-garbagecollector'], ['*']] as const) {
  for (let round = 0; round < 3; round++) {
    const server = await start(controllers);
    const from = process.cpuUsage();
    await createMany(mapsOf(server), DEPENDENTS);
    const { user, system } = process.cpuUsage(from);
    const micros = (user + system) / DEPENDENTS;
    const name = controllers.length === 1 ? 'with the collector' : 'without the collector';
    rounds[name] = Math.min(rounds[name] ?? Number.POSITIVE_INFINITY, micros);
    await server.close();
  }
}
for (const [name, micros] of Object.entries(rounds))
  console.log(`a create ${name}: ${micros.toFixed(0)} µs of CPU`);

const server = await start(['*']);
await createMany(mapsOf(server), OBJECTS);
// the engine collects once more in such a time, which takes it a second: so the median second counts
const seconds: number[] = [];
await sleep(2_000);
for (let second = 0; second < 30; second++) {
  const from = process.cpuUsage();
  await sleep(1_000);
  const { user, system } = process.cpuUsage(from);
  seconds.push((user + system) / 1e4);
}
const mean = seconds.reduce((sum, percent) => sum + percent, 0) / seconds.length;
console.log(
  `idle with ${OBJECTS} objects: ${medianOf(seconds).toFixed(2)} % of a core, ${mean.toFixed(2)} % on average of ${seconds.length} s`,
);
process.exit();
