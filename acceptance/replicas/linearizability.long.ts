import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyValueEvent } from '@ashlar/storage';
import { expect, test } from 'vitest';
import { retried } from '../../packages/storage/src/suites/retried.fixture.ts';
import { startProxy } from '../../packages/storage-etcd/src/client/cutting-proxy.fixture.ts';
import { RecordedRun } from './recorded-run.fixture.ts';
import { checkRegisters } from './register-history.fixture.ts';
import { MAPS, startReplica } from './replica.fixture.ts';
import { ENGINES, type Engine } from './shared-database.fixture.ts';
import { WireWatch } from './wire-watch.fixture.ts';

const OPERATIONS = 10_000;
const CLIENTS = 16;
const KEYS = ['a', 'b', 'c', 'd', 'e'];

/** The same numbers in every run, between 0 and 1. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

test.for(ENGINES)(
  `two servers over one $name are linearizable over ${OPERATIONS} operations under faults`,
  async (engine, context) => {
    context.skip(engine.missing !== undefined, engine.missing);
    await checkLinearizability(engine);
  },
);

/** Waits for a minute at most. @throws Error that names what did not happen */
async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await sleep(5);
  }
}

async function checkLinearizability(engine: Engine): Promise<void> {
  await using database = await engine.start();
  const random = sequence(17);
  const cutBehind = (): number => 20_000 + Math.floor(random() * 100_000);
  await using first = await startProxy(await database.address(), cutBehind);
  await using second = await startProxy(await database.address(), cutBehind);
  const patience = { requestMilliseconds: 1000, connectMilliseconds: 500 };
  await using a = await startReplica(database.open('history', { through: first.url, ...patience }));
  await using b = await startReplica(database.open('history', { through: second.url, ...patience }));
  await using store = await database.open('history');
  const truth: KeyValueEvent[] = [];
  const observer = {
    events: (batch: readonly KeyValueEvent[]) => void truth.push(...batch),
    error: (error: Error) => expect.unreachable(error.message),
  };
  const start = (await a.send('GET', MAPS)).body.metadata.resourceVersion;
  store.watch('/configmaps/default/', { afterRevision: Number(start) }, observer);
  const watches = [a, b].map((one) => new WireWatch(() => [one], start));

  const run = new RecordedRun(KEYS);
  const refusedOften = (): Promise<void> => {
    const goal = run.refusals.length + CLIENTS;
    return until('refusals', () => run.refusals.length >= goal);
  };
  const reached = (part: number): Promise<void> =>
    until(`operation ${OPERATIONS * part}`, () => run.operations >= OPERATIONS * part);
  const strike = async (): Promise<void> => {
    await reached(0.3);
    database.pause();
    await refusedOften();
    database.resume();
    await reached(0.6);
    await database.stop();
    await refusedOften();
    await database.start();
  };
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    run.work(client, [a.send, b.send], OPERATIONS / CLIENTS, sequence(client + 1)),
  );
  await Promise.all([...clients, strike()]);

  // a write without a response may still be in flight: after a later write it can have no effect
  const { revision: end } = await retried(() => store.put('/configmaps/default/end', END));
  await until('the last event', () => (truth.at(-1)?.revision ?? 0) >= end);
  const events = truth.filter(({ key }) => !key.endsWith('/end'));
  const writes = run.writes(events);
  expect(run.faults).toEqual([]);
  expect(checkRegisters(KEYS, writes, run.observations, run.snapshots)).toEqual([]);
  for (const watch of watches) {
    await watch.reaches(end);
    await watch.close();
    expect(watch.received.slice(0, -1)).toEqual(events.map(received));
  }
  expect(first.cuts + second.cuts).toBeGreaterThan(5);
  expect([writes.length, run.observations.length, run.snapshots.length].every((count) => count > 500)).toBe(
    true,
  );
}

const END: Uint8Array = new TextEncoder().encode(
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'end', namespace: 'default' } }),
);

function received({ type, key, revision, previous }: KeyValueEvent): string {
  const kind = type === 'delete' ? 'DELETED' : previous ? 'MODIFIED' : 'ADDED';
  return `${kind} ${key.split('/').at(-1)}@${revision}`;
}
