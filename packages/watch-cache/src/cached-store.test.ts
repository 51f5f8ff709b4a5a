import { StatusError } from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import {
  createMemoryStore,
  type KeyValueEvent,
  type MemoryStore,
  RevisionCompactedError,
  StoreClosedError,
  type WatchObserver,
} from '@ashlar/storage';
import { describe, expect, test } from 'vitest';
import { DelayedStore } from './delayed-store.fixture.ts';
import type { WatchCache, WatchCacheOptions } from './watch-cache.ts';
import { withWatchCache } from './with-watch-cache.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Runs everything that waits for nothing. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 100; i++) await Promise.resolve();
};

/** Records a watch. */
class Listener implements WatchObserver {
  readonly received: KeyValueEvent[] = [];
  readonly progressed: number[] = [];
  failure: Error | undefined;

  events(batch: readonly KeyValueEvent[]): void {
    this.received.push(...batch);
  }

  progress(revision: number): void {
    this.progressed.push(revision);
  }

  error(error: Error): void {
    this.failure = error;
  }
}

interface Stage {
  readonly clock: SteppedClock;
  /** Content of the store. */
  readonly truth: MemoryStore;
  /** The connection to it. */
  readonly store: DelayedStore;
  readonly cache: WatchCache;
  /** Holds whatever begins with that word from now on, until the returned function, or `release`, is called. */
  hold(what: string): () => void;
  release(what: string): void;
}

/** A cache over a remote store whose messages can be delayed. */
function createStage(options: Partial<WatchCacheOptions> = {}, held: readonly string[] = []): Stage {
  const clock = createSteppedClock();
  const truth = createMemoryStore({ clock });
  const gates = new Map<string, { open: () => void; opened: Promise<void> }>();
  const hold = (what: string): (() => void) => {
    let open: () => void = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    gates.set(what, { open, opened });
    return () => release(what);
  };
  for (const what of held) hold(what);
  const release = (what: string): void => {
    const gate = gates.get(what);
    gates.delete(what);
    gate?.open();
  };
  const delay = async (what: string): Promise<void> => {
    for (const [held, { opened }] of gates) if (what.startsWith(held)) await opened;
  };
  const store = new DelayedStore(truth, delay);
  return { clock, truth, store, cache: withWatchCache(store, { clock, ...options }), hold, release };
}

describe('reads of any cached state', () => {
  test('send no request', async () => {
    const { store, cache, truth } = createStage();
    truth.put('/a/1', bytes('1'));
    await cache.get('/a/1');
    const { get, range, currentRevision } = store.calls;
    expect((await cache.get('/a/1', { notOlderThan: 0 }))?.revision).toBe(2);
    expect((await cache.range('/a/', { notOlderThan: 2 })).revision).toBe(2);
    expect(cache.reachedRevision?.()).toBe(2);
    expect(store.calls).toMatchObject({ get, range, currentRevision });
  });

  test('return the last known state while the underlying store is unavailable', async () => {
    const { cache, truth, hold } = createStage();
    truth.put('/a/1', bytes('1'));
    await cache.get('/a/1');
    hold('the watch');
    hold('currentRevision');
    truth.put('/a/1', bytes('2'));
    await settle();
    expect((await cache.get('/a/1', { notOlderThan: 0 }))?.revision).toBe(2);
  });

  test('wait for their minimum revision', async () => {
    const { cache, truth, hold } = createStage();
    await cache.get('/a/1');
    const release = hold('the watch');
    truth.put('/a/1', bytes('1'));
    const read = Promise.resolve(cache.get('/a/1', { notOlderThan: 2 }));
    await settle();
    release();
    expect((await read)?.revision).toBe(2);
  });
});

describe('reads', () => {
  test('share one revision request if concurrent', async () => {
    const { store, cache, truth } = createStage();
    truth.put('/a/1', bytes('1'));
    await cache.get('/a/1');
    const before = store.calls.currentRevision;
    const entries = await Promise.all(Array.from({ length: 50 }, () => cache.get('/a/1')));
    expect(entries.every((entry) => entry === entries[0] && entry?.revision === 2)).toBe(true);
    expect(store.calls.currentRevision - before).toBe(1);
    expect(store.calls.get).toBe(0);
    expect(cache.statistics()).toMatchObject({ ready: true, revision: 2, hits: 51, misses: 0, entries: 1 });
  });

  test('share the next revision request if many are pending', async () => {
    const { store, cache, hold } = createStage();
    await cache.get('/a/1');
    const before = store.calls.currentRevision;
    const release = hold('currentRevision');
    const reads: unknown[] = [];
    for (let i = 0; i < 20; i++) {
      reads.push(cache.get('/a/1'));
      await settle();
    }
    release();
    await Promise.all(reads);
    expect(store.calls.currentRevision - before).toBe(5);
  });

  test('wait until the feed has caught up with the store', async () => {
    const { truth, cache, hold } = createStage();
    await cache.get('/a/1');
    const release = hold('the watch');
    truth.put('/a/1', bytes('1'));
    let result: unknown;
    const read = Promise.resolve(cache.get('/a/1')).then((entry) => {
      result = entry;
    });
    await settle();
    expect(result).toBeUndefined();
    release();
    await read;
    expect(result).toMatchObject({ revision: 2 });
  });

  test('go to the store if the feed is late', async () => {
    const { clock, truth, store, cache, hold } = createStage();
    await cache.get('/a/1');
    hold('the watch');
    truth.put('/a/1', bytes('1'));
    const reads = Promise.all([cache.get('/a/1'), cache.range('/a/'), cache.range('/a/', { limit: 1 })]);
    await settle();
    clock.advance(2999);
    expect(store.calls).toMatchObject({ get: 0, range: 1 });
    clock.advance(1);
    const [entry, range, page] = await reads;
    expect([entry?.revision, range.revision, page.entries.length]).toEqual([2, 2, 1]);
    expect(cache.statistics()).toMatchObject({ hits: 1, misses: 3 });
    expect(clock.pending()).toEqual([]);
  });

  test('of the past come from memory as long as it is retained, then from the store', async () => {
    const { clock, truth, store, cache } = createStage({ historyMilliseconds: 1000 });
    for (let i = 0; i < 5; i++) truth.put('/a/1', bytes(`${i}`));
    await cache.get('/a/1');
    const loaded = store.calls.range;
    const at = async (revision: number): Promise<number | undefined> =>
      (await cache.range('/a/', { atRevision: revision })).entries[0]?.revision;
    truth.put('/a/1', bytes('5'));
    await cache.get('/a/1');
    expect([await at(6), await at(7), store.calls.range - loaded]).toEqual([6, 7, 0]);
    clock.advance(1000);
    expect([await at(6), store.calls.range - loaded]).toEqual([6, 1]);
    expect([await at(3), store.calls.range - loaded]).toEqual([3, 2]);
    expect(cache.statistics().history).toBe(0);
  });

  test('fail as the unavailable store does', async () => {
    const { store, cache } = createStage();
    await cache.get('/a/1');
    store.currentRevision = () => Promise.reject(StatusError.serviceUnavailable('away'));
    await expect(cache.get('/a/1')).rejects.toThrow('away');
    await expect(cache.range('/a/')).rejects.toThrow('away');
  });

  test('of other prefixes go to the store', async () => {
    const { truth, store, cache } = createStage({ prefix: '/a/' });
    truth.put('/b/1', bytes('1'));
    expect(await cache.get('/b/1')).toMatchObject({ revision: 2 });
    expect((await cache.range('')).entries).toHaveLength(1);
    expect(store.calls).toMatchObject({ get: 1, range: 2 });
    expect(cache.statistics()).toMatchObject({ hits: 0, misses: 0, entries: 0 });
    // progress notifications cover other prefixes
    expect(await cache.get('/a/1')).toBeUndefined();
    expect(cache.statistics()).toMatchObject({ hits: 1, revision: 2 });
  });
});

describe('before the initial state', () => {
  test('an unlimited range is rejected after a while, all else goes to the store', async () => {
    const { clock, truth, cache, store } = createStage({}, ['range']);
    truth.put('/a/1', bytes('1'));
    const range = Promise.resolve(cache.range('/a/')).catch((error: StatusError) => error);
    const entry = cache.get('/a/1');
    await settle();
    clock.advance(3000);
    const refusal = (await range) as StatusError;
    expect([refusal.code, refusal.reason, refusal.message, refusal.details?.retryAfterSeconds]).toEqual([
      429,
      'TooManyRequests',
      'storage is (re)initializing',
      1,
    ]);
    expect(await entry).toMatchObject({ revision: 2 });
    expect(store.calls.get).toBe(1);
  });

  test('reads and watches wait for it', async () => {
    const { truth, cache, release } = createStage({}, ['range']);
    const listener = new Listener();
    const silent = new Listener();
    cache.watch('/a/', { afterRevision: 1 }, listener);
    cache.watch('/a/', { afterRevision: 1 }, silent)[Symbol.dispose]();
    truth.put('/a/1', bytes('1'));
    const range = cache.range('/a/');
    await settle();
    expect([cache.statistics().ready, listener.received.length]).toEqual([false, 0]);
    release('range');
    expect((await range).entries).toHaveLength(1);
    await settle();
    expect([listener.received.map(({ revision }) => revision), silent.received]).toEqual([[2], []]);
  });

  test('it is retried, with growing pauses', async () => {
    const clock = createSteppedClock();
    const truth = createMemoryStore({ clock });
    const store = new DelayedStore(truth, async () => {});
    const { range } = store;
    let attempts = 0;
    store.range = () => {
      attempts++;
      return Promise.reject(StatusError.serviceUnavailable('away'));
    };
    const cache = withWatchCache(store, { clock });
    await settle();
    for (let i = 0; i < 30; i++) {
      clock.advance(1000);
      await settle();
    }
    expect(attempts).toBeGreaterThan(5);
    expect(attempts).toBeLessThan(15);
    store.range = range;
    clock.advance(5000);
    await settle();
    expect((await cache.range('/a/')).revision).toBe(1);
    expect(cache.statistics().ready).toBe(true);
  });
});

describe('entries', () => {
  test('are shared by writers, readers and watchers', async () => {
    const { cache } = createStage();
    const [first, second] = [new Listener(), new Listener()];
    cache.watch('/a/', { afterRevision: 1 }, first);
    cache.watch('/a/1', { afterRevision: 1 }, second);
    await settle();
    const written = await cache.put('/a/1', bytes('1'));
    const entry = await cache.get('/a/1');
    const again = await cache.put('/a/1', bytes('2'), { ifRevision: 0 });
    await settle();
    expect(written.ok && written.entry === entry).toBe(true);
    expect(!again.ok && again.current === entry).toBe(true);
    expect(first.received[0] === second.received[0] && first.received[0]?.entry === entry).toBe(true);
    await cache.put('/a/1', bytes('3'));
    await cache.get('/a/1');
    await settle();
    expect(first.received[1]?.previous === entry).toBe(true);
  });

  test('of writes that are acknowledged before their event are those of the event', async () => {
    const { cache, hold } = createStage();
    await cache.get('/a/1');
    const release = hold('the watch');
    const written = await cache.put('/a/1', bytes('1'));
    release();
    const entry = await cache.get('/a/1');
    expect(written.ok && entry !== undefined && written.entry === entry).toBe(true);
  });
});

describe('watches', () => {
  test('of any number share one of the store', async () => {
    const { store, cache, truth } = createStage();
    await cache.get('/a/1');
    const listeners = Array.from({ length: 100 }, () => new Listener());
    const watches = listeners.map((listener, i) =>
      cache.watch(`/a/${i % 10}`, { afterRevision: 1 }, listener),
    );
    truth.put('/a/3', bytes('3'));
    await cache.get('/a/3');
    await settle();
    expect(listeners.filter(({ received }) => received.length === 1)).toHaveLength(10);
    expect(store.calls.watch).toBe(1);
    expect(cache.statistics()).toMatchObject({ watchers: 100, events: 1 });
    for (const watch of watches) watch[Symbol.dispose]();
    expect(cache.statistics().watchers).toBe(0);
  });

  test('from shortly before the cache started are served from memory', async () => {
    const { store, cache, truth } = createStage();
    for (let i = 0; i < 2000; i++) truth.put('/a/1', bytes(`${i}`));
    await cache.get('/a/1');
    const listener = new Listener();
    cache.watch('/a/', { afterRevision: 1500 }, listener);
    await settle();
    expect(listener.received.map(({ revision }) => revision)).toEqual(
      Array.from({ length: 501 }, (_, i) => 1501 + i),
    );
    expect((await cache.range('/a/', { atRevision: 1200 })).entries[0]?.revision).toBe(1200);
    expect(store.calls).toMatchObject({ watch: 1, range: 1 });
  });

  test('start with the newest state if older ones have been compacted', async () => {
    const { cache, truth } = createStage();
    for (let i = 0; i < 10; i++) truth.put('/a/1', bytes(`${i}`));
    truth.compact(11);
    expect(await cache.get('/a/1')).toMatchObject({ revision: 11 });
    expect(cache.statistics()).toMatchObject({ ready: true, history: 0, loads: 1 });
  });

  test('from before the cache started catch up in the store, then move to the cache', async () => {
    const { store, cache, truth } = createStage({ historyLimit: 1 });
    for (let i = 0; i < 3; i++) truth.put('/a/1', bytes(`${i}`));
    await cache.get('/a/1');
    const listener = new Listener();
    cache.watch('/a/', { afterRevision: 2 }, listener);
    await settle();
    truth.put('/a/1', bytes('later'));
    await cache.get('/a/1');
    await settle();
    expect(listener.received.map(({ revision }) => revision)).toEqual([3, 4, 5]);
    expect(store.calls.watch).toBe(2);
    expect(cache.statistics().watchers).toBe(1);
  });

  test('receive progress on request', async () => {
    const { cache, truth } = createStage({ prefix: '/a/' });
    await cache.get('/a/1');
    const listener = new Listener();
    cache.watch('/a/', { afterRevision: 1 }, listener);
    truth.put('/b/1', bytes('1'));
    cache.requestProgress?.();
    await settle();
    expect(listener.progressed.at(-1)).toBe(2);
    const before = listener.progressed.length;
    cache.requestProgress?.();
    await settle();
    expect(listener.progressed.slice(before)).toEqual([2]);
  });

  test('end if the feed has lost compacted events, and the cache restarts', async () => {
    const { store, cache, truth } = createStage();
    truth.put('/a/1', bytes('1'));
    const kept = await cache.get('/a/1');
    const listener = new Listener();
    cache.watch('/a/', { afterRevision: 2 }, listener);
    store.cut(new RevisionCompactedError(2, 4));
    truth.put('/a/2', bytes('2'));
    truth.put('/a/3', bytes('3'));
    await settle();
    expect(listener.failure).toEqual(new RevisionCompactedError(2, 4));
    const { entries, revision } = await cache.range('/a/');
    expect([entries.length, revision, entries[0] === kept]).toEqual([3, 4, true]);
    expect(cache.statistics()).toMatchObject({ ready: true, loads: 2 });
    const next = new Listener();
    cache.watch('/a/', { afterRevision: 4 }, next);
    truth.put('/a/4', bytes('4'));
    await cache.get('/a/4');
    await settle();
    expect(next.received.map(({ revision }) => revision)).toEqual([5]);
  });

  test('receive errors of the store; the feed resumes', async () => {
    const { clock, store, cache, truth } = createStage();
    await cache.get('/a/1');
    const listener = new Listener();
    cache.watch('/a/', { afterRevision: 1 }, listener);
    store.cut(new Error('the disk is gone'));
    truth.put('/a/1', bytes('1'));
    const read = cache.get('/a/1');
    await settle();
    clock.advance(50);
    expect(await read).toMatchObject({ revision: 2 });
    await settle();
    expect([listener.failure?.message, listener.received.length]).toEqual(['the disk is gone', 0]);
    expect(cache.statistics()).toMatchObject({ loads: 1, hits: 2, misses: 0 });
  });

  test('report once that they cannot follow, and that they follow again', async () => {
    const faults: unknown[] = [];
    const onFault = (error: unknown): void =>
      void faults.push(error instanceof Error ? error.message : error);
    const { clock, store, cache, truth } = createStage({ onFault });
    await cache.get('/a/1');
    expect(await cache.check()).toBeUndefined();
    store.cut(new Error('the disk is gone'));
    await settle();
    expect(() => cache.check()).toThrow('the disk is gone');
    clock.advance(50);
    await settle();
    store.cut(new Error('and again'));
    await settle();
    expect(() => cache.check()).toThrow('and again');
    clock.advance(100);
    await truth.put('/a/1', bytes('1'));
    await settle();
    expect(await cache.check()).toBeUndefined();
    expect(faults).toEqual(['the disk is gone', undefined]);
  });

  test('end with the underlying store', async () => {
    const { store, cache } = createStage();
    await cache.get('/a/1');
    const listener = new Listener();
    cache.watch('/a/', { afterRevision: 1 }, listener);
    store.cut(new StoreClosedError());
    await settle();
    expect(listener.failure).toBeInstanceOf(StoreClosedError);
  });
});

test('disposal ends waiting reads, waiting watches, and the store', async () => {
  const { clock, truth, store, cache, hold } = createStage();
  await cache.get('/a/1');
  const listener = new Listener();
  cache.watch('/a/', { afterRevision: 1 }, listener);
  hold('the watch');
  truth.put('/a/1', bytes('1'));
  const read = Promise.resolve(cache.get('/a/1')).catch((error: Error) => error);
  await settle();
  await cache[Symbol.asyncDispose]();
  expect(await read).toBeInstanceOf(StoreClosedError);
  await settle();
  expect(listener.failure).toBeInstanceOf(StoreClosedError);
  expect(() => cache.get('/a/1')).toThrow(StoreClosedError);
  expect(clock.pending()).toEqual([]);
  expect(store.calls.watch).toBe(1);
});

test('a watch that waits for the initial state ends with the cache', async () => {
  const { cache } = createStage({}, ['range']);
  const listener = new Listener();
  cache.watch('/a/', { afterRevision: 1 }, listener);
  await cache[Symbol.asyncDispose]();
  await settle();
  expect(listener.failure).toBeInstanceOf(StoreClosedError);
});

test('the prefix must be valid', () => {
  const clock = createSteppedClock();
  expect(() => withWatchCache(createMemoryStore({ clock }), { clock, prefix: '/a' })).toThrow(
    'the prefix "/a" does not end with /',
  );
});

describe('watches', () => {
  test('report up to where they have received everything, once they have caught up', async () => {
    const { cache, truth, hold } = createStage({ historyLimit: 1 });
    for (let i = 0; i < 5; i++) truth.put('/a/1', bytes(`${i}`));
    await cache.get('/a/1');
    const fresh = cache.watch('/a/', { afterRevision: 6 }, new Listener());
    const release = hold('the watch');
    const late = cache.watch('/a/', { afterRevision: 2 }, new Listener());
    await settle();
    expect([fresh.delivered, late.delivered]).toEqual([6, undefined]);
    release();
    await settle();
    truth.put('/a/1', bytes('x'));
    await settle();
    expect([fresh.delivered, late.delivered]).toEqual([7, 7]);
  });

  test('from before a running compaction are rejected, although the cache does not know of it yet', async () => {
    const { cache, truth, hold } = createStage();
    truth.put('/a/1', bytes('1'));
    await cache.get('/a/1');
    const release = hold('the watch');
    truth.put('/a/1', bytes('2'));
    truth.put('/a/1', bytes('3'));
    await cache.compact(4);
    const listener = new Listener();
    cache.watch('/a/', { afterRevision: 2 }, listener);
    release();
    await settle();
    expect(listener.failure).toBeInstanceOf(RevisionCompactedError);
  });
});
