import { type MaybePromise, sleep } from '@ashlar/core';
import { nodeClock } from '@ashlar/http-node';
import { type Entry, type KeyValueStore, RevisionCompactedError, type WriteResult } from '@ashlar/storage';
import { checkHistory } from '@ashlar/storage/testing';
import { createEtcdStore, type EtcdStore } from '@ashlar/storage-etcd';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startProxy } from '../../storage-etcd/src/client/cutting-proxy.fixture.ts';
import {
  type EtcdProcess,
  etcdProgram,
  NO_ETCD,
  startEtcd,
} from '../../storage-etcd/src/client/etcd-process.fixture.ts';
import { FaultyRun } from './faulty-run.fixture.ts';
import type { WatchCache } from './watch-cache.ts';
import { withWatchCache } from './with-watch-cache.ts';

let etcd: EtcdProcess;
beforeAll(async () => {
  if (etcdProgram) etcd = await startEtcd();
});
afterAll(() => etcd?.[Symbol.asyncDispose]());
beforeEach((context) => context.skip(!etcdProgram, NO_ETCD));

let prefixes = 0;
const nextPrefix = (): string => `/replicas-${++prefixes}`;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const open = (prefix: string, endpoint: string = etcd.url): Promise<EtcdStore> =>
  createEtcdStore({ endpoints: [endpoint], prefix, requestMilliseconds: 4000 });
const replica = async (prefix: string, endpoint?: string): Promise<WatchCache> =>
  withWatchCache(await open(prefix, endpoint), { clock: nodeClock });

/** The same numbers in every run, between 0 and 1. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** A cached entry; if the cache is behind, that of its store. */
async function fromMemory(cache: WatchCache, key: string): Promise<Entry | undefined> {
  for (;;) {
    const { hits } = cache.statistics();
    const entry = await cache.get(key);
    if (cache.statistics().hits > hits) return entry;
  }
}

/** Writes other keys until stopped: revisions of which the caches receive no event. */
async function writeElsewhere(store: KeyValueStore, isOver: () => boolean): Promise<void> {
  for (let i = 0; !isOver(); i++) await store.put(`/${i % 10}`, bytes('elsewhere'));
}

describe('two replicas over one etcd, each with a cache', { timeout: 60_000 }, () => {
  test('writes acknowledged by one are seen by the next read of the other, from memory', async () => {
    const prefix = nextPrefix();
    await using a = await replica(prefix);
    await using b = await replica(prefix);
    await using other = await open(nextPrefix());
    await a.get('/k/0');
    await b.get('/k/0');
    let over = false;
    const noise = writeElsewhere(other, () => over);
    for (let i = 0; i < 300; i++) {
      const [writer, reader] = i % 2 === 0 ? [a, b] : [b, a];
      const { revision } = await writer.put(`/k/${i % 7}`, bytes(`${i}`));
      const [entry, range, own] = await Promise.all([
        reader.get(`/k/${i % 7}`),
        reader.range('/k/'),
        writer.get(`/k/${i % 7}`),
      ]);
      expect([entry?.revision, own?.revision]).toEqual([revision, revision]);
      expect(range.revision).toBeGreaterThanOrEqual(revision);
      expect(range.entries.map((one) => one.key)).toContain(`/k/${i % 7}`);
    }
    over = true;
    await noise;
    for (const { statistics } of [a, b].map((cache) => ({ statistics: cache.statistics() }))) {
      expect(statistics.hits + statistics.misses).toBeGreaterThan(400);
      // without reliable notifications only the store can respond after foreign writes
      if (a.supports.progress) expect(statistics.misses).toBe(0);
    }
  });

  test('pages that start at one replica continue at the other', async () => {
    const prefix = nextPrefix();
    await using a = await replica(prefix);
    await using b = await replica(prefix);
    for (let i = 10; i < 40; i++) await a.put(`/k/${i}`, bytes(`${i}`));
    const first = await a.range('/k/', { limit: 10 });
    for (let i = 10; i < 40; i += 2) await b.delete(`/k/${i}`);
    const second = await b.range('/k/', { limit: 10, after: '/k/19', atRevision: first.revision });
    const third = await a.range('/k/', { after: '/k/29', atRevision: first.revision });
    const keys = [first, second, third].flatMap(({ entries }) => entries.map(({ key }) => key));
    expect(keys).toEqual(Array.from({ length: 30 }, (_, i) => `/k/${10 + i}`));
    expect([first.remaining, second.remaining, third.remaining]).toEqual([20, 10, 0]);
  });

  test('one that was disconnected during a compaction restarts, and reports it', async () => {
    const prefix = nextPrefix();
    const proxy = await startProxy(etcd.url, () => undefined);
    await using a = await replica(prefix, proxy.url);
    await using b = await replica(prefix);
    await a.put('/k/1', bytes('1'));
    const { revision } = await a.put('/k/2', bytes('2'));
    const retained = await fromMemory(a, '/k/1');
    const ended = new Promise<Error>((resolve) => {
      a.watch('/k/', { afterRevision: revision }, { events: () => {}, error: resolve });
    });
    proxy.shut(true);
    for (let i = 0; i < 5; i++) await b.put('/k/2', bytes(`later ${i}`));
    const last = await b.delete('/k/2');
    await b.compact(last.revision);
    proxy.shut(false);
    expect(await ended).toBeInstanceOf(RevisionCompactedError);
    const { entries } = await a.range('/k/');
    expect([entries.map(({ key }) => key), entries[0] === retained]).toEqual([['/k/1'], true]);
    expect(a.statistics().loads).toBe(2);
    await proxy[Symbol.asyncDispose]();
  });

  test('while etcd is paused or stopped reads fail in time; afterwards everything continues', async () => {
    const prefix = nextPrefix();
    await using a = withWatchCache(
      await createEtcdStore({ endpoints: [etcd.url], prefix, requestMilliseconds: 500 }),
      { clock: nodeClock },
    );
    const { revision } = await a.put('/k/1', bytes('1'));
    await a.range('/k/');
    const received: number[] = [];
    const failures: Error[] = [];
    a.watch(
      '/k/',
      { afterRevision: revision },
      {
        events: (batch) => received.push(...batch.map((event) => event.revision)),
        error: (error) => failures.push(error),
      },
    );
    const written: number[] = [];
    for (const [away, back] of [
      [() => etcd.pause(), () => etcd.resume()],
      [() => etcd.stop(), () => etcd.start()],
    ] as const) {
      await away();
      const refusals = await Promise.allSettled([a.get('/k/1'), a.range('/k/'), a.get('/k/1')]);
      for (const refusal of refusals) {
        expect(refusal).toMatchObject({ status: 'rejected', reason: { name: 'StatusError' } });
        expect([503, 504]).toContain((refusal as PromiseRejectedResult).reason.code);
      }
      // the past is still available
      expect((await a.range('/k/', { atRevision: revision })).entries).toHaveLength(1);
      await back();
      written.push(await retried(() => a.put('/k/1', bytes('again'))));
    }
    const entry = await a.get('/k/1');
    expect([entry?.revision, received.at(-1), failures]).toEqual([written[1], written[1], []]);
    expect(received).toEqual([...new Set(received)].sort((x, y) => x - y));
    expect(received).toEqual(expect.arrayContaining(written));
  });

  test('stay linearizable over 10,000 operations while their connections are cut', async () => {
    const prefix = nextPrefix();
    const random = sequence(11);
    const cutAfter = (): number => 20_000 + Math.floor(random() * 200_000);
    const proxies = [await startProxy(etcd.url, cutAfter), await startProxy(etcd.url, cutAfter)];
    await using direct = await open(prefix);
    await using a = await replica(prefix, proxies[0]?.url);
    await using b = await replica(prefix, proxies[1]?.url);
    const run = new FaultyRun(await direct.currentRevision(), direct);
    await Promise.all(
      Array.from({ length: 10 }, (_, worker) => run.work(worker % 2 === 0 ? a : b, worker, 500)),
    );
    await run.settle(direct);
    expect(checkHistory(run.operations, run.events)).toEqual([]);
    expect(proxies[0]?.cuts).toBeGreaterThan(5);
    expect(run.answered).toBeGreaterThan(5000);
    for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
  });
});

/** The revision of a write that is retried until it is acknowledged. */
async function retried(write: () => MaybePromise<WriteResult>): Promise<number> {
  for (;;) {
    try {
      return (await write()).revision;
    } catch {
      await sleep(nodeClock, 50);
    }
  }
}
