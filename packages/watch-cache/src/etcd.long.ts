import { setTimeout as sleep } from 'node:timers/promises';
import { nodeClock } from '@ashlar/http-node';
import { createObjectStore } from '@ashlar/storage';
import { testKeyValueStore, testObjectStore } from '@ashlar/storage/testing';
import { createEtcdStore } from '@ashlar/storage-etcd';
import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest';
import {
  type EtcdProcess,
  etcdProgram,
  NO_ETCD,
  startEtcd,
} from '../../storage-etcd/src/client/etcd-process.fixture.ts';

import type { WatchCache } from './watch-cache.ts';
import { withWatchCache } from './with-watch-cache.ts';

let etcd: EtcdProcess;
beforeAll(async () => {
  if (etcdProgram) etcd = await startEtcd();
});
afterAll(() => etcd?.[Symbol.asyncDispose]());

const withEtcd = (name: string, run: () => Promise<void>): void =>
  test(name, { timeout: 30_000 }, async (context: TestContext) => {
    context.skip(!etcdProgram, NO_ETCD);
    await run();
  });

const open = async (id: string): Promise<WatchCache> =>
  withWatchCache(await createEtcdStore({ endpoints: [etcd.url], prefix: `/${id}` }), { clock: nodeClock });

testKeyValueStore('etcd store with a watch cache', ({ id }) => open(id), {
  describe,
  test: withEtcd,
  passTime: async (milliseconds, clock) => {
    clock.advance(milliseconds);
    await sleep(milliseconds);
  },
  runs: 5,
});

testObjectStore(
  'object store over etcd with a watch cache',
  async ({ id, codec, clock }) => {
    const cache = await open(id);
    return {
      store: createObjectStore(cache, { codec, clock }),
      compact: async (revision) => cache.compact(revision),
      dispose: async () => cache[Symbol.asyncDispose](),
    };
  },
  { describe, test: withEtcd },
);
