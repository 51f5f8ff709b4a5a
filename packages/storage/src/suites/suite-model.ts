import fc from 'fast-check';
import type { Entry } from '../contracts/entry.ts';
import { type KeyValueStore, RevisionCompactedError } from '../contracts/key-value-store.ts';
import { bytesOf, viewEntries, viewEntry, viewEvent } from '../objects/plain-views.ts';
import { assertEqual, assertFails } from './assertions.ts';
import { StoreModel } from './store-model.ts';
import type { StoreSuite } from './suite-runner.ts';
import { WatchRecorder } from './watch-recorder.ts';

const KEYS = ['/a', '/a/1', '/a/2', '/a/2/x', '/a/b/1', '/a-b/1', '/b/1', '/b/2'];
const PREFIXES = ['', '/', '/a', '/a/', '/a/2/', '/a/2', '/a/b/', '/b/', '/c/'];

/** A history that hangs, or takes long to shrink, is reported before the test itself times out. In milliseconds. */
const LIMITS = { timeout: 10_000, interruptAfterTimeLimit: 25_000, markInterruptAsFailure: true };

/** One step of a random history. `back` counts revisions back from the newest. */
type Step =
  | {
      readonly do: 'put' | 'delete';
      readonly key: string;
      readonly when: 'always' | 'current' | 'absent' | 'stale';
    }
  | { readonly do: 'range'; readonly prefix: string; readonly back: number; readonly limit: number }
  | { readonly do: 'watch'; readonly prefix: string; readonly back: number }
  | { readonly do: 'compact'; readonly back: number }
  | { readonly do: 'fork' };

const key = fc.constantFrom(...KEYS);
const prefix = fc.constantFrom(...PREFIXES);
const back = fc.nat(12);
const when = fc.constantFrom('always' as const, 'current' as const, 'absent' as const, 'stale' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('put' as const), key, when }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), key, when }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('range' as const), prefix, back, limit: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('watch' as const), prefix, back }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const), back }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const) }) },
);

/** Random histories against a plain model. */
export function defineModelTests({ options, create, newContext }: StoreSuite): void {
  options.test('agrees with a plain model over random histories', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
      const store = await create(newContext());
      const run = new ModelRun(store, await store.currentRevision());
      try {
        for (const each of steps) await run.take(each);
        await run.finish();
      } finally {
        await run.dispose();
      }
    });
    await fc.assert(property, { numRuns: options.runs ?? 50, ...LIMITS });
  });
}

/** A store with its model, the watches that were opened meanwhile, and abandoned sides of forks. */
class ModelRun {
  #store: KeyValueStore;
  #model: StoreModel;
  readonly #watches: { recorder: WatchRecorder; prefix: string; after: number; model: StoreModel }[] = [];
  readonly #left: { store: KeyValueStore; model: StoreModel }[] = [];
  #writes = 0;

  constructor(store: KeyValueStore, revision: number) {
    this.#store = store;
    this.#model = new StoreModel(revision);
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'put' || step.do === 'delete') return this.#write(step);
    if (step.do === 'range') return this.#range(step);
    if (step.do === 'watch') return this.#watch(step);
    if (step.do === 'compact') return this.#compact(this.#model.back(step.back));
    return this.#fork();
  }

  /** Checks every retained state, every abandoned side, every watch. */
  async finish(): Promise<void> {
    this.#left.push({ store: this.#store, model: this.#model });
    for (const { store, model } of this.#left) {
      for (let revision = model.oldest; revision <= model.newest; revision++) {
        const range = await store.range('', { atRevision: revision });
        assertEqual(viewEntries(range), model.page('', revision).entries, `the state at ${revision}`);
      }
    }
    for (const { recorder, prefix, after, model } of this.#watches) {
      const expected = model.events(prefix, after);
      const last = expected.at(-1);
      if (last) await recorder.reaches(last.revision);
      assertEqual(
        recorder.received.map(viewEvent),
        expected.map((event) => event.view),
        `the watch of ${prefix}`,
      );
    }
  }

  async dispose(): Promise<void> {
    for (const { recorder } of this.#watches) recorder[Symbol.dispose]();
    for (const store of new Set([this.#store, ...this.#left.map((side) => side.store)])) {
      await store[Symbol.asyncDispose]();
    }
  }

  async #write({ do: action, key, when }: Extract<Step, { do: 'put' | 'delete' }>): Promise<void> {
    const current = this.#model.revisionOf(key);
    const ifRevision = { always: undefined, current, absent: 0, stale: Math.max(0, current - 1) }[when];
    const condition = ifRevision === undefined ? {} : { ifRevision };
    const text = action === 'put' ? `v${++this.#writes}` : undefined;
    const expected = this.#model.write(key, text, ifRevision);
    const result =
      text === undefined
        ? await this.#store.delete(key, condition)
        : await this.#store.put(key, bytesOf(text), condition);
    const shown: Entry | undefined = result.ok ? undefined : result.current;
    assertEqual(
      [result.ok, viewEntry(shown)],
      [expected.ok, expected.current],
      `${action} of ${key} (${when})`,
    );
    if (result.ok) assertEqual(result.revision, this.#model.newest, 'the revision of a write');
    assertEqual(viewEntry(await this.#store.get(key)), this.#model.view(key), `${key} behind a ${action}`);
  }

  /** All pages of a prefix at one revision. */
  async #range({ prefix, back, limit }: Extract<Step, { do: 'range' }>): Promise<void> {
    const atRevision = this.#model.back(back);
    const read = (after?: string) =>
      this.#store.range(prefix, { atRevision, ...(limit > 0 && { limit }), ...(after && { after }) });
    if (atRevision < this.#model.oldest) {
      await assertFails(() => read(), RevisionCompactedError, `range at ${atRevision}`);
      return;
    }
    for (let after: string | undefined, rest = 1; rest > 0; ) {
      const page = await read(after);
      const expected = this.#model.page(prefix, atRevision, after, limit || undefined);
      assertEqual(
        [viewEntries(page), page.remaining],
        [expected.entries, expected.remaining],
        `page of ${prefix}`,
      );
      after = page.entries.at(-1)?.key;
      rest = page.remaining;
    }
  }

  async #watch({ prefix, back }: Extract<Step, { do: 'watch' }>): Promise<void> {
    const after = this.#model.back(back);
    const recorder = new WatchRecorder(this.#store, prefix, after);
    if (after >= this.#model.oldest) {
      this.#watches.push({ recorder, prefix, after, model: this.#model });
      return;
    }
    const error = await recorder.ends();
    assertEqual(error.name, 'RevisionCompactedError', `the end of a watch from ${after}`);
  }

  async #compact(revision: number): Promise<void> {
    await this.#store.compact(revision);
    this.#model.compact(revision);
  }

  /** Continues with a fork; the abandoned side must not change. */
  async #fork(): Promise<void> {
    if (!this.#store.supports.fork || !this.#store.fork || this.#left.length > 3) return;
    this.#left.push({ store: this.#store, model: this.#model });
    this.#store = this.#store.fork();
    this.#model = this.#model.fork();
  }
}
