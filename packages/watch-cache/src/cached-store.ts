import { andThen, type MaybePromise, StatusError } from '@ashlar/core';
import {
  type Entry,
  type KeyValueStore,
  type MvccCore,
  type PutOptions,
  type RangeOptions,
  type RangeResult,
  rangeSelected,
  type StoreCapabilities,
  StoreClosedError,
  type StoreUsage,
  type Watch,
  type WatchObserver,
  type WatchOptions,
  type WriteResult,
} from '@ashlar/storage';
import { CacheFeed } from './cache-feed.ts';
import { type CatchUpOptions, openCatchUpWatch } from './catch-up-watch.ts';
import { Freshness } from './freshness.ts';
import { Patience } from './patience.ts';
import { RevisionQuestion } from './revision-question.ts';
import { openWhenReady } from './waiting-watch.ts';
import type { WatchCache, WatchCacheOptions, WatchCacheStatistics } from './watch-cache.ts';
import { WrittenEntries } from './written-entries.ts';

/** How long reads wait if the underlying store reports progress, and if it does not. */
const PATIENCE_MILLISECONDS = 3000;
const PATIENCE_WITHOUT_PROGRESS_MILLISECONDS = 100;
const LEAST_PATIENCE_MILLISECONDS = 5;

const HISTORY_MILLISECONDS = 75_000;
const HISTORY_LIMIT = 100_000;

type ReadOptions = Pick<RangeOptions, 'notOlderThan'>;

/** Before the initial state. */
const NOTHING: StoreUsage = {
  revision: 0,
  oldestRevision: 0,
  entries: 0,
  valueBytes: 0,
  historyEvents: 0,
  historyBytes: 0,
  watches: 0,
  indexes: 0,
  indexTerms: 0,
};

/** Implements the contract with a core that follows the underlying store. */
export class CachedStore implements WatchCache {
  readonly supports: StoreCapabilities;
  readonly fork?: () => KeyValueStore;
  readonly #store: KeyValueStore;
  readonly #prefix: string;
  readonly #feed: CacheFeed;
  readonly #question: RevisionQuestion;
  readonly #freshness: Freshness;
  readonly #written: WrittenEntries = new WrittenEntries();
  readonly #firstPatience: Patience;
  readonly #readyPatience: Patience;
  #compacted: number = 0;
  #hits: number = 0;
  #misses: number = 0;
  #closing: Promise<void> | undefined;

  constructor(store: KeyValueStore, options: WatchCacheOptions) {
    const { clock, prefix = '' } = options;
    this.#store = store;
    this.#prefix = prefix;
    this.supports = { ...store.supports, selection: true };
    if (store.fork) this.fork = () => new CachedStore(this.#forked(), options);
    this.#question = new RevisionQuestion(store);
    this.#firstPatience = new Patience(options.patienceMilliseconds ?? PATIENCE_MILLISECONDS);
    const isCertain = store.supports.progress || options.patienceMilliseconds !== undefined;
    this.#readyPatience = isCertain
      ? this.#firstPatience
      : new Patience(PATIENCE_WITHOUT_PROGRESS_MILLISECONDS, LEAST_PATIENCE_MILLISECONDS);
    this.#freshness = new Freshness({
      clock,
      question: this.#question,
      patience: () => this.#patience(),
      position: () => this.#feed.core?.revision ?? 0,
      nudge: () => this.#nudge(),
    });
    this.#feed = new CacheFeed({
      store,
      prefix,
      history: {
        clock,
        historyMilliseconds: options.historyMilliseconds ?? HISTORY_MILLISECONDS,
        historyLimit: options.historyLimit ?? HISTORY_LIMIT,
        ...(options.historyBytes !== undefined && { historyBytes: options.historyBytes }),
      },
      adopt: (batch) => this.#written.adopt(batch),
      reached: (revision) => this.#reached(revision),
      began: () => this.#freshness.began(),
      stopped: (error) => this.#freshness.fail(error),
      onFault: options.onFault,
    });
    this.#feed.start();
  }

  get(key: string, options: ReadOptions = {}): MaybePromise<Entry | undefined> {
    this.#mustBeOpen();
    if (!key.startsWith(this.#prefix)) return this.#store.get(key, options);
    return andThen(this.#isFresh(options), (isFresh) => {
      this.#mustBeOpen();
      const { core } = this.#feed;
      if (!isFresh || !core) return this.#miss(() => this.#store.get(key));
      this.#hits++;
      return core.get(key);
    });
  }

  range(prefix: string, options: RangeOptions = {}): MaybePromise<RangeResult> {
    this.#mustBeOpen();
    if (!prefix.startsWith(this.#prefix)) return rangeSelected(this.#store, prefix, options);
    if (options.atRevision !== undefined) return this.#rangeAt(prefix, options, options.atRevision);
    return andThen(this.#isFresh(options), (isFresh) => {
      this.#mustBeOpen();
      const { core } = this.#feed;
      if (!core && options.limit === undefined)
        throw StatusError.tooManyRequests('storage is (re)initializing', 1);
      if (!isFresh || !core) return this.#miss(() => rangeSelected(this.#store, prefix, options));
      this.#hits++;
      return core.range(prefix, options);
    });
  }

  put(key: string, value: Uint8Array, options?: PutOptions): MaybePromise<WriteResult> {
    this.#mustBeOpen();
    return andThen(this.#store.put(key, value, options), (result) => this.#share(result));
  }

  delete(key: string, options?: { readonly ifRevision?: number }): MaybePromise<WriteResult> {
    this.#mustBeOpen();
    return andThen(this.#store.delete(key, options), (result) => this.#share(result));
  }

  check(): MaybePromise<void> {
    this.#mustBeOpen();
    this.#feed.requireFollowing();
    return this.#store.check?.();
  }

  watch(prefix: string, options: WatchOptions, observer: WatchObserver): Watch {
    this.#mustBeOpen();
    if (!prefix.startsWith(this.#prefix) || this.#feed.isStopped)
      return this.#store.watch(prefix, options, observer);
    const open = (): Watch => this.#open(prefix, options, observer);
    return this.#feed.isReady ? open() : openWhenReady(this.#feed, observer, open);
  }

  /** Reports progress to all watches, once everything acknowledged by now has been received. */
  requestProgress(): void {
    this.#mustBeOpen();
    if (!this.supports.progress) return;
    const finish = (isFresh: boolean): void => {
      if (isFresh) this.#feed.core?.reportProgress();
    };
    // while the underlying store is unavailable there is no progress
    Promise.resolve(this.#freshness.confirm()).then(finish, () => {});
  }

  currentRevision(): MaybePromise<number> {
    this.#mustBeOpen();
    return this.#question.readRevision();
  }

  reachedRevision(): number {
    return this.#feed.core?.revision ?? 0;
  }

  compact(revision: number): MaybePromise<void> {
    this.#mustBeOpen();
    return andThen(this.#store.compact(revision), () => {
      this.#compacted = Math.max(this.#compacted, revision);
      this.#compactWhatIsReached();
    });
  }

  statistics(): WatchCacheStatistics {
    const { core, isReady, counts } = this.#feed;
    const usage = core?.usage;
    return {
      ready: isReady,
      revision: core?.revision ?? 0,
      hits: this.#hits,
      misses: this.#misses,
      questions: this.#question.count,
      entries: usage?.entries ?? 0,
      watchers: usage?.watches ?? 0,
      history: usage?.historyEvents ?? 0,
      ...counts,
    };
  }

  usage(): StoreUsage {
    return this.#feed.core?.usage ?? NOTHING;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#feed.stop(new StoreClosedError());
    await this.#store[Symbol.asyncDispose]();
  }

  #open(prefix: string, options: WatchOptions, observer: WatchObserver): Watch {
    this.#mustBeOpen();
    const { core, isReady } = this.#feed;
    if (!core || !isReady) throw new StoreClosedError();
    if (this.#remembers(core, options.afterRevision)) return core.watch(prefix, options, observer);
    const catchingUp: CatchUpOptions = {
      store: this.#store,
      prefix,
      options,
      shared: (entry) => this.#shared(entry),
      remembers: (revision) => {
        const cached = this.#feed.isReady && this.#feed.core;
        return cached ? this.#remembers(cached, revision) : false;
      },
      join: (revision) => this.#open(prefix, { ...options, afterRevision: revision }, observer),
    };
    return openCatchUpWatch(catchingUp, observer);
  }

  #rangeAt(prefix: string, options: RangeOptions, revision: number): MaybePromise<RangeResult> {
    const { core } = this.#feed;
    if (!core || !this.#remembers(core, revision) || revision > core.revision)
      return this.#miss(() => rangeSelected(this.#store, prefix, options));
    this.#hits++;
    return core.range(prefix, options);
  }

  /** Whether the core is sufficient: reads of any cached state send no request. */
  #isFresh({ notOlderThan }: ReadOptions): MaybePromise<boolean> {
    const { core } = this.#feed;
    if (notOlderThan !== undefined && core && core.revision >= notOlderThan) return true;
    return this.#freshness.confirm();
  }

  #miss<T>(readThrough: () => T): T {
    this.#misses++;
    return readThrough();
  }

  /** Returns one entry for one value, whether it was written, read or received. */
  #share(result: WriteResult): WriteResult {
    if (!result.ok) return result.current ? { ...result, current: this.#shared(result.current) } : result;
    const { entry, previous } = result;
    const cached = entry && this.#shared(entry);
    if (cached && cached === entry && this.#awaits(entry)) this.#written.add(entry);
    return {
      ...result,
      ...(cached && { entry: cached }),
      ...(previous && { previous: this.#shared(previous) }),
    };
  }

  #shared(entry: Entry): Entry {
    const cached = this.#feed.core?.get(entry.key);
    return cached?.revision === entry.revision ? cached : entry;
  }

  #awaits({ key, revision }: Entry): boolean {
    const { core } = this.#feed;
    return core !== undefined && key.startsWith(this.#prefix) && revision > core.revision;
  }

  #reached(revision: number): void {
    this.#written.reached(revision);
    this.#compactWhatIsReached();
    this.#freshness.reached(revision);
  }

  /** Whether the core has every event after a revision: events not received yet may have been compacted, too. */
  #remembers(core: MvccCore, revision: number): boolean {
    return revision >= core.oldest && revision >= this.#compacted;
  }

  #compactWhatIsReached(): void {
    const { core } = this.#feed;
    if (!core || this.#compacted === 0) return;
    core.compact(Math.min(this.#compacted, core.revision));
    if (core.revision >= this.#compacted) this.#compacted = 0;
  }

  /** A state that is being read is worth waiting for; a revision without a notification is not. */
  #patience(): Patience {
    return this.#feed.isReady ? this.#readyPatience : this.#firstPatience;
  }

  #nudge(): void {
    if (this.supports.progress) this.#store.requestProgress?.(this.#prefix);
  }

  #forked(): KeyValueStore {
    this.#mustBeOpen();
    return (this.#store.fork as () => KeyValueStore).call(this.#store);
  }

  #mustBeOpen(): void {
    if (this.#closing) throw new StoreClosedError();
  }
}
