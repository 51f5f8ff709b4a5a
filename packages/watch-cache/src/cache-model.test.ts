import { StatusError } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import {
  createMemoryStore,
  type KeyValueEvent,
  type MemoryStore,
  type RangeResult,
  type Watch,
} from '@ashlar/storage';
import { checkHistory, type Operation } from '@ashlar/storage/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DelayedStore } from './delayed-store.fixture.ts';
import type { WatchCache } from './watch-cache.ts';
import { withWatchCache } from './with-watch-cache.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const view = ({ entries, remaining }: RangeResult): unknown => [
  entries.map(({ key, revision, value }) => `${key}@${revision}=${value}`),
  remaining,
];

/** One step of one worker, which continues after the response. */
type Step =
  | { readonly do: 'get' | 'put' | 'delete' | 'swap'; readonly key: string }
  | { readonly do: 'range'; readonly prefix: string; readonly limit: number }
  | { readonly do: 'past'; readonly prefix: string; readonly back: number }
  | { readonly do: 'any'; readonly prefix: string; readonly back: number }
  | { readonly do: 'watch'; readonly prefix: string; readonly back: number }
  | { readonly do: 'elsewhere' };

const key = fc.constantFrom('/a/1', '/a/2', '/a/b/1');
const prefix = fc.constantFrom('/a/', '/a/b/', '/a/1');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('get' as const), key }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('put' as const), key }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'swap' as const), key }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('range' as const), prefix, limit: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('past' as const), prefix, back: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('any' as const), prefix, back: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('watch' as const), prefix, back: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('elsewhere' as const) }) },
);
const workers = fc.array(fc.array(step, { maxLength: 12 }), { minLength: 2, maxLength: 4 });

/** A watch at a cache, its received events, and the expected ones. */
interface RecordedWatch {
  readonly prefix: string;
  readonly after: number;
  readonly events: KeyValueEvent[];
  failure: Error | undefined;
  watch?: Watch;
}

/** Workers at two caches over one in-memory store: what they see, and the truth. */
class Run {
  readonly truth: MemoryStore;
  readonly operations: Operation[] = [];
  readonly watches: RecordedWatch[] = [];
  readonly all: KeyValueEvent[] = [];
  readonly #caches: readonly WatchCache[];
  /** The newest revision that was acknowledged or returned. */
  #known: number = 1;
  #moment: number = 0;

  constructor(truth: MemoryStore, caches: readonly WatchCache[]) {
    this.truth = truth;
    this.#caches = caches;
    truth.watch('/a/', { afterRevision: 1 }, { events: (batch) => this.all.push(...batch), error: () => {} });
  }

  async work(worker: number, steps: readonly Step[]): Promise<void> {
    const cache = this.#caches[worker % this.#caches.length] as WatchCache;
    for (const [i, step] of steps.entries()) {
      await this.#take(cache, step, `${worker}.${i}`);
      this.checkDelivered();
    }
  }

  async #take(cache: WatchCache, step: Step, text: string): Promise<void> {
    if (step.do === 'elsewhere') this.#known = this.truth.put('/b/1', bytes(text)).revision;
    else if (step.do === 'range') await this.#range(cache, step);
    else if (step.do === 'past') await this.#past(cache, step);
    else if (step.do === 'any') await this.#any(cache, step);
    else if (step.do === 'watch') this.#watch(cache, step);
    else if (step.do === 'get') await this.#get(cache, step.key);
    else await this.#write(cache, step, text);
  }

  async #get(cache: WatchCache, key: string): Promise<number> {
    const start = ++this.#moment;
    const seen = (await cache.get(key))?.revision ?? 0;
    this.operations.push({ key, start, end: ++this.#moment, seen });
    return seen;
  }

  async #write(cache: WatchCache, { do: action, key }: Extract<Step, { key: string }>, text: string) {
    const condition = action === 'swap' ? { ifRevision: await this.#get(cache, key) } : {};
    const start = ++this.#moment;
    const result =
      action === 'delete' ? await cache.delete(key, condition) : await cache.put(key, bytes(text), condition);
    const end = ++this.#moment;
    if (result.ok) this.#known = Math.max(this.#known, result.revision);
    const said = action === 'delete' ? undefined : text;
    this.operations.push(
      result.ok
        ? { key, start, end, ...condition, write: { revision: result.revision, text: said } }
        : { key, start, end, ...condition, seen: result.current?.revision ?? 0 },
    );
  }

  /** A range is the state of one revision, no older than any known before. */
  async #range(cache: WatchCache, { prefix, limit }: Extract<Step, { do: 'range' }>): Promise<void> {
    const known = this.#known;
    const options = limit > 0 ? { limit } : {};
    const range = await Promise.resolve(cache.range(prefix, options)).catch(refused);
    if (!range) return;
    expect(range.revision).toBeGreaterThanOrEqual(known);
    expect(view(range)).toEqual(view(this.truth.range(prefix, { ...options, atRevision: range.revision })));
    this.#known = Math.max(this.#known, range.revision);
  }

  async #past(cache: WatchCache, { prefix, back }: Extract<Step, { do: 'past' }>): Promise<void> {
    const atRevision = Math.max(1, this.#known - back);
    const range = await cache.range(prefix, { atRevision });
    expect(range.revision).toBe(atRevision);
    expect(view(range)).toEqual(view(this.truth.range(prefix, { atRevision })));
  }

  /** A range that need not be the newest is still the state of one revision, no older than its minimum. */
  async #any(cache: WatchCache, { prefix, back }: Extract<Step, { do: 'any' }>): Promise<void> {
    const notOlderThan = Math.max(0, this.#known - back);
    const range = await Promise.resolve(cache.range(prefix, { notOlderThan })).catch(refused);
    if (!range) return;
    expect(range.revision).toBeGreaterThanOrEqual(notOlderThan);
    expect(view(range)).toEqual(view(this.truth.range(prefix, { atRevision: range.revision })));
  }

  /** An open watch has received what it reports as received. */
  checkDelivered(): void {
    for (const recorded of this.watches) {
      const { delivered } = recorded.watch ?? {};
      if (delivered === undefined || recorded.failure) continue;
      const expected = expectedOf(this, recorded, delivered);
      expect(recorded.events.map(viewEvent).slice(0, expected.length)).toEqual(expected);
    }
  }

  #watch(cache: WatchCache, { prefix, back }: Extract<Step, { do: 'watch' }>): void {
    const recorded: RecordedWatch = {
      prefix,
      after: Math.max(1, this.#known - back),
      events: [],
      failure: undefined,
    };
    this.watches.push(recorded);
    const observer = {
      events: (batch: readonly KeyValueEvent[]) => recorded.events.push(...batch),
      error: (error: Error) => {
        recorded.failure = error;
      },
    };
    recorded.watch = cache.watch(prefix, { afterRevision: recorded.after }, observer);
  }
}

/** The state may not exist yet when a full range has waited long enough. */
const refused = (error: unknown): undefined => {
  if (!(StatusError.is(error) && error.code === 429)) throw error;
};

const viewEvent = ({ type, key, revision, entry, previous }: KeyValueEvent): string =>
  `${type} ${key}@${revision} ${entry?.value} ${previous?.revision}`;

/** What a watch should have received. */
function expectedOf(
  run: Run,
  { prefix, after }: RecordedWatch,
  until: number = Number.POSITIVE_INFINITY,
): string[] {
  const isBelow = (key: string): boolean => (prefix.endsWith('/') ? key.startsWith(prefix) : key === prefix);
  const happened = run.all.filter(({ revision }) => revision > after && revision <= until);
  return happened.filter(({ key }) => isBelow(key)).map(viewEvent);
}

async function play(
  scheduler: fc.Scheduler,
  steps: readonly (readonly Step[])[],
  { progress, historyLimit, cutAfter }: { progress: boolean; historyLimit: number; cutAfter?: number },
): Promise<Run> {
  const clock = createSteppedClock();
  const truth = createMemoryStore({ clock });
  const delay = (what: string): Promise<void> => scheduler.schedule(Promise.resolve(), what).then(() => {});
  const stores = [0, 1].map(() => new DelayedStore(truth, delay, progress));
  const caches = stores.map((store) => withWatchCache(store, { clock, prefix: '/a/', historyLimit }));
  const run = new Run(truth, caches);
  if (cutAfter !== undefined) {
    for (const store of stores) void cutLater(store, scheduler, clock, cutAfter);
  }
  await scheduler.waitFor(Promise.all(steps.map((each, worker) => run.work(worker, each))));
  // pending messages arrive
  for (const cache of caches) await scheduler.waitFor(Promise.resolve(cache.range('/a/')).catch(refused));
  await scheduler.waitIdle();
  for (const cache of caches) await cache[Symbol.asyncDispose]();
  return run;
}

async function cutLater(
  store: DelayedStore,
  scheduler: fc.Scheduler,
  clock: ReturnType<typeof createSteppedClock>,
  turns: number,
): Promise<void> {
  for (let i = 0; i < turns; i++) await scheduler.schedule(Promise.resolve(), 'a turn before the cut');
  store.cut(new Error('cut'));
  clock.advance(10_000);
}

describe('watch caches over one store', () => {
  const options = fc.record({ progress: fc.boolean(), historyLimit: fc.constantFrom(1, 3, 1000) });

  test('show what a store without a cache would, with any delays', async () => {
    const property = fc.asyncProperty(fc.scheduler(), workers, options, async (scheduler, steps, more) => {
      const run = await play(scheduler, steps, more);
      expect(checkHistory(run.operations, run.all)).toEqual([]);
      for (const recorded of run.watches)
        expect(recorded.events.map(viewEvent)).toEqual(expectedOf(run, recorded));
    });
    await fc.assert(property, { numRuns: 150 });
  });

  test('continue after the feed has been cut; watches end or miss nothing', async () => {
    const property = fc.asyncProperty(
      fc.scheduler(),
      workers,
      options,
      fc.nat(30),
      async (scheduler, steps, more, cutAfter) => {
        const run = await play(scheduler, steps, { ...more, cutAfter });
        expect(checkHistory(run.operations, run.all)).toEqual([]);
        for (const recorded of run.watches) {
          const expected = expectedOf(run, recorded);
          const got = recorded.events.map(viewEvent);
          expect(got).toEqual(recorded.failure ? expected.slice(0, got.length) : expected);
        }
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });
});
