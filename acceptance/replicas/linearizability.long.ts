import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyValueEvent } from '@ashlar/storage';
import { createEtcdStore } from '@ashlar/storage-etcd';
import { expect, test } from 'vitest';
import { startProxy } from '../../packages/storage-etcd/src/client/cutting-proxy.fixture.ts';
import {
  etcdProgram,
  NO_ETCD,
  startEtcd,
} from '../../packages/storage-etcd/src/client/etcd-process.fixture.ts';
import { RecordedRun } from './recorded-run.fixture.ts';
import { checkRegisters } from './register-history.fixture.ts';
import { MAPS, startReplica } from './replica.fixture.ts';
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

test(`two servers are linearizable over ${OPERATIONS} operations under faults`, async (context) => {
  context.skip(!etcdProgram, NO_ETCD);
  await using etcd = await startEtcd();
  const random = sequence(17);
  const cutBehind = (): number => 20_000 + Math.floor(random() * 100_000);
  await using first = await startProxy(etcd.url, cutBehind);
  await using second = await startProxy(etcd.url, cutBehind);
  const patience = { requestMilliseconds: 1000, connectMilliseconds: 500 };
  await using a = await startReplica({ endpoints: [first.url], ...patience });
  await using b = await startReplica({ endpoints: [second.url], ...patience });
  await using store = await createEtcdStore({ endpoints: [etcd.url] });
  const truth: KeyValueEvent[] = [];
  const observer = {
    events: (batch: readonly KeyValueEvent[]) => void truth.push(...batch),
    error: (error: Error) => expect.unreachable(error.message),
  };
  const start = (await a.send('GET', MAPS)).body.metadata.resourceVersion;
  store.watch('/configmaps/default/', { afterRevision: Number(start) }, observer);
  const watches = [a, b].map((one) => new WireWatch(() => [one], start));

  const run = new RecordedRun(KEYS);
  const refusedOften = async (): Promise<void> => {
    const goal = run.refusals.length + CLIENTS;
    while (run.refusals.length < goal) await sleep(5);
  };
  const reached = async (part: number): Promise<void> => {
    while (run.operations < OPERATIONS * part) await sleep(5);
  };
  const strike = async (): Promise<void> => {
    await reached(0.3);
    etcd.pause();
    await refusedOften();
    etcd.resume();
    await reached(0.6);
    await etcd.stop();
    await refusedOften();
    await etcd.start();
  };
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    run.work(client, [a.send, b.send], OPERATIONS / CLIENTS, sequence(client + 1)),
  );
  await Promise.all([...clients, strike()]);

  // a write without a response may still be in flight: after a later write it can have no effect
  const { revision: end } = await retried(() => store.put('/configmaps/default/end', END));
  while ((truth.at(-1)?.revision ?? 0) < end) await sleep(5);
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
});

const END: Uint8Array = new TextEncoder().encode(
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'end', namespace: 'default' } }),
);

function received({ type, key, revision, previous }: KeyValueEvent): string {
  const kind = type === 'delete' ? 'DELETED' : previous ? 'MODIFIED' : 'ADDED';
  return `${kind} ${key.split('/').at(-1)}@${revision}`;
}

async function retried<T>(call: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch {
      await sleep(50);
    }
  }
}
