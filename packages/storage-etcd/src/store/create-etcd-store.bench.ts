import { afterAll, beforeAll, bench, describe } from 'vitest';
import { type EtcdProcess, etcdProgram, NO_ETCD, startEtcd } from '../client/etcd-process.fixture.ts';
import { createEtcdStore } from './create-etcd-store.ts';
import type { EtcdStore } from './etcd-store.ts';

const SIZE = 10_000;
const value = new Uint8Array(1024).fill(65);
let etcd: EtcdProcess;
let store: EtcdStore;
let i = 0;
/** The next key, far from the one before. */
const next = (): string => {
  i += 7919;
  return `/pods/default/pod-${i % SIZE}`;
};

beforeAll(async () => {
  if (!etcdProgram) return;
  etcd = await startEtcd();
  store = await createEtcdStore({ endpoints: [etcd.url] });
  for (let at = 0; at < SIZE; at += 100)
    await Promise.all(Array.from({ length: 100 }, (_, j) => store.put(`/pods/default/pod-${at + j}`, value)));
});
afterAll(async () => {
  await store?.[Symbol.asyncDispose]();
  await etcd?.[Symbol.asyncDispose]();
  for (const line of figures) console.log(line);
});

/** Measures the client's own CPU time: etcd is another process. */
const figures: string[] = [];

/** A benchmark that also counts operations per second of CPU time. */
function counted(name: string, operations: number, run: () => Promise<unknown>): void {
  let calls = 0;
  let start: NodeJS.CpuUsage;
  const setup = (): void => {
    calls = 0;
    start = process.cpuUsage();
  };
  const teardown = (_: unknown, mode?: string): void => {
    const { user, system } = process.cpuUsage(start);
    const perSecond = Math.round((calls * operations * 1e6) / (user + system));
    if (mode !== 'warmup') figures.push(`${name}: ${perSecond.toLocaleString('en')} per CPU-second`);
  };
  const work = async (): Promise<void> => {
    calls++;
    await run();
  };
  bench(name, work, { setup, teardown });
}

const together = (inFlight: number, call: () => PromiseLike<unknown> | unknown) => (): Promise<unknown> =>
  Promise.all(Array.from({ length: inFlight }, call));

describe.skipIf(!etcdProgram)(etcdProgram ? 'etcd' : `etcd: ${NO_ETCD}`, () => {
  counted('put of 1 KB, 1 in flight', 1, () => Promise.resolve(store.put(next(), value)));
  counted(
    'put of 1 KB, 64 in flight',
    64,
    together(64, () => store.put(next(), value)),
  );
  counted(
    'put of 1 KB if absent (lost), 64 in flight',
    64,
    together(64, () => store.put(next(), value, { ifRevision: 0 })),
  );
  counted('get, 1 in flight', 1, () => Promise.resolve(store.get(next())));
  counted(
    'get, 64 in flight',
    64,
    together(64, () => store.get(next())),
  );
  counted('range of 10,000 entries of 1 KB, in entries', SIZE, () => Promise.resolve(store.range('/pods/')));
  counted('range of 500 entries, in entries', 500, () =>
    Promise.resolve(store.range('/pods/', { limit: 500 })),
  );
});
