import { setTimeout as sleep } from 'node:timers/promises';
import { createObjectStore } from '@ashlar/storage';
import { testKeyValueStore, testObjectStore } from '@ashlar/storage/testing';
import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest';
import { type EtcdProcess, etcdProgram, NO_ETCD, startEtcd } from '../client/etcd-process.fixture.ts';
import { createEtcdStore } from './create-etcd-store.ts';
import type { EtcdStore } from './etcd-store.ts';

let etcd: EtcdProcess;
beforeAll(async () => {
  if (etcdProgram) etcd = await startEtcd();
});
afterAll(() => etcd?.[Symbol.asyncDispose]());

/** Tests of the suites that require more than the contract, or than this engine declares. */
const SKIPPED: Readonly<Record<string, string>> = {
  'gives one record to all who look at one value':
    'entries are made anew with every read (sharesEntries: false)',
  'starts in the past with what happened since':
    'it takes writes in flight together to get their revisions in the order of the calls; `faults.process.ts` has it without that',
};

const withEtcd = (name: string, run: () => Promise<void>): void =>
  test(name, { timeout: 30_000 }, async (context: TestContext) => {
    context.skip(!etcdProgram, NO_ETCD);
    context.skip(name in SKIPPED, SKIPPED[name]);
    await run();
  });

const open = (id: string): Promise<EtcdStore> => createEtcdStore({ endpoints: [etcd.url], prefix: `/${id}` });

testKeyValueStore('etcd store', ({ id }) => open(id), {
  describe,
  test: withEtcd,
  sharesEntries: false,
  passTime: async (milliseconds, clock) => {
    clock.advance(milliseconds);
    await sleep(milliseconds);
  },
  runs: 5,
});

testObjectStore(
  'object store over etcd',
  async ({ id, codec, clock }) => {
    const engine = await open(id);
    return {
      store: createObjectStore(engine, { codec, clock }),
      compact: (revision) => engine.compact(revision),
      dispose: async () => engine[Symbol.asyncDispose](),
    };
  },
  { describe, test: withEtcd },
);
