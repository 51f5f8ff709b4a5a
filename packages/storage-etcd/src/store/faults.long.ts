import { setTimeout as sleep } from 'node:timers/promises';
import { StatusError } from '@ashlar/core';
import { RevisionCompactedError, ValueTooLargeError, type WriteResult } from '@ashlar/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CuttingProxy, startProxy } from '../client/cutting-proxy.fixture.ts';
import { type EtcdProcess, etcdProgram, NO_ETCD, startEtcd } from '../client/etcd-process.fixture.ts';
import { createEtcdStore, type EtcdStoreOptions } from './create-etcd-store.ts';
import type { EtcdStore } from './etcd-store.ts';
import { WatchLog } from './watch-log.fixture.ts';

let etcd: EtcdProcess;
beforeAll(async () => {
  if (etcdProgram) etcd = await startEtcd();
});
afterAll(() => etcd?.[Symbol.asyncDispose]());
beforeEach((context) => context.skip(!etcdProgram, NO_ETCD));

let prefixes = 0;
const nextPrefix = (): string => `/test-${++prefixes}`;
const open = (more: Partial<EtcdStoreOptions> = {}): Promise<EtcdStore> =>
  createEtcdStore({ endpoints: [etcd.url], prefix: nextPrefix(), ...more });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The error of a failed call: it must tell callers to retry. */
async function refusal(outcome: unknown): Promise<StatusError> {
  const error = await Promise.resolve(outcome).then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(StatusError);
  const status = error as StatusError;
  expect([503, 504], status.message).toContain(status.code);
  expect(status.details?.retryAfterSeconds).toBeGreaterThan(0);
  return status;
}

/** The same numbers in every run, between 0 and 1. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

describe('a store whose etcd is', { timeout: 30_000 }, () => {
  test('stopped and restarted: calls fail in time, watches continue without a gap', async () => {
    await using store = await open({ requestMilliseconds: 1500, connectMilliseconds: 1000 });
    const { revision } = await store.put('/a/1', bytes('1'));
    const log = new WatchLog(store, '/a/', revision);
    await store.put('/a/1', bytes('2'));
    await etcd.stop();
    const [first, second] = await Promise.all([
      refusal(store.put('/a/1', bytes('lost'))),
      refusal(store.range('/a/')),
    ]);
    expect([first.code, second.code]).toEqual([503, 503]);
    await etcd.start();
    const results: WriteResult[] = [];
    while (results.length < 5) {
      results.push(await retried(() => store.put(`/a/${results.length}`, bytes('3'))));
    }
    const last = results.at(-1)?.revision as number;
    await log.reaches(last);
    const all = await allRevisions(store, revision, last);
    expect(log.revisions).toEqual(all);
    log[Symbol.dispose]();
  });

  test('paused for some seconds: calls fail in time, watches continue without a gap', async ({
    onTestFinished,
  }) => {
    onTestFinished(() => etcd.resume());
    const prefix = nextPrefix();
    await using store = await open({ prefix, requestMilliseconds: 1500, connectMilliseconds: 1000 });
    const { revision } = await store.put('/a/1', bytes('1'));
    const log = new WatchLog(store, '/a/', revision);
    await store.put('/a/1', bytes('2'));
    etcd.pause();
    const pausedAt = performance.now();
    const codes: number[] = [];
    for (let i = 0; i < 2; i++) {
      const calls = [store.put('/a/2', bytes(`${i}`)), store.get('/a/1'), store.currentRevision()];
      for (const error of await Promise.all(calls.map(refusal))) codes.push(error.code);
    }
    expect(codes).toContain(504);
    await sleep(Math.max(0, 3000 - (performance.now() - pausedAt)));
    etcd.resume();
    await using other = await open({ prefix });
    const { revision: last } = await other.put('/a/3', bytes('3'));
    await log.reaches(last);
    expect(log.revisions).toEqual(await allRevisions(other, revision, last));
    expect((await retried(() => store.get('/a/3')))?.revision).toBe(last);
    log[Symbol.dispose]();
  });

  test('compacted under a disconnected watcher: it gets an error with the compacted revision', async () => {
    const prefix = nextPrefix();
    await using proxy = await startProxy(etcd.url, () => undefined);
    await using writer = await open({ prefix });
    await using store = await open({ prefix, endpoints: [proxy.url] });
    const { revision } = await writer.put('/a/1', bytes('1'));
    const log = new WatchLog(store, '/a/', revision);
    const { revision: received } = await writer.put('/a/1', bytes('2'));
    await log.reaches(received);
    proxy.shut(true);
    await writer.put('/a/1', bytes('3'));
    await writer.delete('/a/1');
    const { revision: last } = await writer.put('/a/1', bytes('4'));
    await writer.compact(last);
    proxy.shut(false);
    const error = (await log.ends()) as RevisionCompactedError;
    expect(error).toBeInstanceOf(RevisionCompactedError);
    expect([error.requested, error.oldest]).toEqual([received, last]);
    expect(log.revisions).toEqual([received]);
  });

  test('compacted exactly to what a watcher needs next: nothing is lost silently', async () => {
    await using store = await open();
    const { revision } = await store.put('/a/1', bytes('1'));
    await store.delete('/a/1');
    await store.put('/b/1', bytes('1'));
    await store.compact(revision + 1);
    // the deletion at the oldest revision is gone, so no watch may start before it
    const error = await new WatchLog(store, '/a/', revision).ends();
    expect(error).toMatchObject({
      name: 'RevisionCompactedError',
      requested: revision,
      oldest: revision + 1,
    });
  });
});

/** What the watch should have received: etcd's own history, read revision by revision. */
async function allRevisions(store: EtcdStore, after: number, last: number): Promise<number[]> {
  const revisions: number[] = [];
  for (let at = after + 1; at <= last; at++) {
    const { entries } = await store.range('/a/', { atRevision: at });
    if (entries.some((entry) => entry.revision === at)) revisions.push(at);
  }
  return revisions;
}

async function retried<T>(call: () => T | Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(50);
    }
  }
}

describe('connections that are cut', { timeout: 60_000 }, () => {
  const WATCHERS = 20;
  const CUTS = 200;

  test(`at ${CUTS} places: a watcher never misses or repeats an event`, async () => {
    const prefix = nextPrefix();
    const random = sequence(42);
    const proxies: CuttingProxy[] = [];
    const cuts = (): number => proxies.reduce((sum, proxy) => sum + proxy.cuts, 0);
    const budget = (): number | undefined => (cuts() < CUTS ? Math.floor(random() * 5000) : undefined);
    await using writer = await open({ prefix });
    const { revision } = await writer.put('/a/0', bytes('0'));
    for (let i = 0; i < WATCHERS; i++) proxies.push(await startProxy(etcd.url, budget));
    const stores = await Promise.all(
      proxies.map(({ url }) => open({ prefix, endpoints: [url], openMilliseconds: 30_000 })),
    );
    const logs = stores.map((store) => new WatchLog(store, '/a/', revision));
    const written: string[] = [];
    const previous = new Map([['/a/0', revision]]);
    while (cuts() < CUTS) {
      // the first response after a cut must not always exceed the budget until the next
      const goal = written.length - 12;
      await Promise.all(logs.map((log) => log.until(() => log.events.length >= goal || cuts() >= CUTS)));
      const key = `/a/${written.length % 7}`;
      const remove = written.length % 5 === 4 && previous.has(key);
      const result = remove ? await writer.delete(key) : await writer.put(key, bytes(`${written.length}`));
      written.push(`${remove ? 'delete' : 'put'} ${key}@${result.revision} before ${previous.get(key)}`);
      if (remove) previous.delete(key);
      else previous.set(key, result.revision);
    }
    const { revision: last } = await writer.put('/a/end', bytes('end'));
    for (const log of logs) {
      await log.reaches(last);
      const received = log.events.map(
        (e) => `${e.type} ${e.key}@${e.revision} before ${e.previous?.revision}`,
      );
      expect(received.slice(0, -1)).toEqual(written);
      log[Symbol.dispose]();
    }
    for (const store of stores) await store[Symbol.asyncDispose]();
    for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
    expect(cuts()).toBeGreaterThanOrEqual(CUTS);
  });

  test('under writes: acknowledged ones are stored, others fail with the right errors', async () => {
    const prefix = nextPrefix();
    const random = sequence(7);
    await using proxy = await startProxy(etcd.url, () => 300 + Math.floor(random() * 3000));
    await using store = await open({ prefix, endpoints: [proxy.url], requestMilliseconds: 3000 });
    const acknowledged = new Map<string, number>();
    let failed = 0;
    const write = async (writer: number): Promise<void> => {
      for (let i = 0; i < 60; i++) {
        const key = `/a/${writer}.${i}`;
        try {
          const result = await store.put(key, bytes('x'.repeat(50)), { ifRevision: 0 });
          // this key has one writer: it can only conflict with an attempt of its own
          expect(result.ok).toBe(true);
          acknowledged.set(key, result.revision);
        } catch (error) {
          await refusal(Promise.reject(error));
          failed++;
        }
      }
    };
    await Promise.all([0, 1, 2, 3].map(write));
    await using direct = await open({ prefix });
    const { entries } = await direct.range('/a/');
    const there = new Map(entries.map((entry) => [entry.key, entry.revision]));
    for (const [key, revision] of acknowledged) expect(there.get(key), key).toBe(revision);
    expect(proxy.cuts).toBeGreaterThan(5);
    expect(there.size).toBeLessThanOrEqual(acknowledged.size + failed);
  });
});

describe('large things', { timeout: 30_000 }, () => {
  test('a list of many megabytes is read in pages of one revision', async () => {
    await using store = await open();
    const value = new Uint8Array(100_000).fill(7);
    const names = Array.from({ length: 250 }, (_, i) => `/a/${1000 + i}`);
    for (let i = 0; i < names.length; i += 25)
      await Promise.all(names.slice(i, i + 25).map((key) => store.put(key, value)));
    const { entries, remaining, revision } = await store.range('/a/');
    expect([entries.map((entry) => entry.key), remaining]).toEqual([names, 0]);
    expect(entries.every((entry) => entry.value.length === value.length)).toBe(true);
    expect(revision).toBe(await store.currentRevision());
    const part = await store.range('/a/', { after: '/a/1009', limit: 220, atRevision: revision });
    expect([part.entries.length, part.remaining, part.entries[0]?.key]).toEqual([220, 20, '/a/1010']);
  });

  test('a watch of many megabytes is complete, in order', async () => {
    await using store = await open();
    const value = new Uint8Array(300_000).fill(7);
    const { revision } = await store.put('/a/0', value);
    for (let i = 0; i < 30; i++) await store.put(`/a/${i % 3}`, value);
    const log = new WatchLog(store, '/a/', revision);
    await log.reaches(revision + 30);
    expect(log.revisions).toEqual(Array.from({ length: 30 }, (_, i) => revision + 1 + i));
    expect(log.events.every((event) => event.entry?.value.length === value.length)).toBe(true);
    log[Symbol.dispose]();
  });

  test('a value that etcd rejects as too large fails with that error, from whichever layer', async () => {
    await using store = await open();
    for (const size of [1_600_000, 3_000_000]) {
      const put = store.put('/a/1', new Uint8Array(size));
      await expect(put).rejects.toBeInstanceOf(ValueTooLargeError);
    }
    expect(await store.get('/a/1')).toBeUndefined();
  });
});

describe('watches', { timeout: 30_000 }, () => {
  test('start in the past during writes', async () => {
    await using store = await open();
    const base = await store.currentRevision();
    for (let i = 0; i < 40; i++) await store.put(`/a/${i % 3}`, bytes(`${i}`));
    const log = new WatchLog(store, '/a/1', base + 10);
    const running = await Promise.all(
      Array.from({ length: 20 }, (_, i) => store.put(`/a/${i % 3}`, bytes('later'))),
    );
    const { revision: last } = await store.put('/a/1', bytes('end'));
    await log.reaches(last);
    const past = Array.from({ length: 40 }, (_, i) => i).filter((i) => i >= 10 && i % 3 === 1);
    const deferred = running.filter((_, i) => i % 3 === 1).map((result) => result.revision);
    expect(log.revisions).toEqual([
      ...past.map((i) => base + 1 + i),
      ...deferred.sort((a, b) => a - b),
      last,
    ]);
    log[Symbol.dispose]();
  });

  test('report progress on request', async (context) => {
    await using store = await open();
    context.skip(!store.supports.progress, 'notices of progress of this version of etcd may overtake events');
    const { revision } = await store.put('/a/1', bytes('1'));
    const log = new WatchLog(store, '/a/', revision);
    const other = new WatchLog(store, '/b/', revision);
    for (let i = 0; i < 100; i++) await store.put('/elsewhere', bytes(`${i}`));
    const current = await store.currentRevision();
    while (log.progress < current) {
      store.requestProgress('/a/');
      await sleep(10);
    }
    expect([log.progress, log.events.length, other.progress]).toEqual([current, 0, 0]);
    log[Symbol.dispose]();
    other[Symbol.dispose]();
  });

  test('never receive progress before the events that it covers', async (context) => {
    await using store = await open();
    context.skip(!store.supports.progress, 'notices of progress of this version of etcd may overtake events');
    const { revision } = await store.put('/a/1', bytes('1'));
    const log = new WatchLog(store, '/a/', revision);
    const written: number[] = [];
    for (let i = 0; i < 300; i++) {
      written.push((await store.put('/a/1', bytes(`${i}`))).revision);
      store.requestProgress();
      const known = written.filter((one) => one <= log.progress);
      expect(log.revisions.slice(0, known.length)).toEqual(known);
    }
    log[Symbol.dispose]();
  });
});
