import type { Clock } from '@ashlar/core';
import type { Entry } from '../contracts/entry.ts';
import type { EntryIndex } from '../contracts/entry-selection.ts';
import type {
  KeyValueEvent,
  RangeOptions,
  RangeResult,
  StoreHoldings,
  Watch,
  WatchObserver,
  WatchOptions,
} from '../contracts/key-value-store.ts';
import { readSelected, type SelectedRange } from '../objects/read-selected.ts';
import { createEntryTree, type EntryTree, isBelow, readPage } from './entry-tree.ts';
import { EventHistory } from './event-history.ts';
import { IndexSet } from './index-set.ts';
import { WatchIndex } from './watch-index.ts';

/** How much of the past is held. */
export interface HistoryOptions {
  /** Ages by its monotonic time. */
  readonly clock: Clock;
  /** How long a state stays readable after it has been superseded; 300,000 (five minutes) unless told. */
  readonly historyMilliseconds?: number;
  /** How many events are held at most; 100,000 unless told. */
  readonly historyLimit?: number;
  /** About how many bytes of memory the past takes at most; 67,108,864 unless told. */
  readonly historyBytes?: number;
}

/** Where a core begins. */
export interface InitialState {
  readonly entries: Iterable<Entry>;
  readonly revision: number;
}

const DEFAULTS = { historyMilliseconds: 300_000, historyLimit: 100_000, historyBytes: 67_108_864 };

const EMPTY: InitialState = { entries: [], revision: 1 };

/**
 * The heart of an engine that keeps its state in memory: the newest entries, the recent history and the watches, under
 * one revision counter (multi-version concurrency control). It decides nothing: whoever owns it says what is written, and when.
 *
 * Clones of the tree are kept every few hundred revisions, and of revisions that lists are paged over; any other held state
 * is the nearest of them with the few events between undone or redone.
 */
export class MvccCore {
  readonly #options: Required<HistoryOptions>;
  readonly #watches: WatchIndex = new WatchIndex();
  #indexes: IndexSet = new IndexSet();
  #tree: EntryTree;
  #history: EventHistory;
  #revision: number;
  #valueBytes: number = 0;

  /** An empty core is at revision 1, since 0 means "any" to clients. */
  constructor(options: HistoryOptions, { entries, revision }: InitialState = EMPTY) {
    this.#options = { ...DEFAULTS, ...options };
    this.#tree = createEntryTree(entries);
    this.#revision = revision;
    this.#history = new EventHistory(this.#tree.clone(), revision);
    for (const { value } of this.#tree.values()) this.#valueBytes += value.length;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The oldest revision that can be read and watched from. */
  get oldest(): number {
    this.#forgetTheOld();
    return this.#history.oldest;
  }

  /** What is held, as {@link KeyValueStore.holdings} tells. */
  get holdings(): StoreHoldings {
    const { oldest: oldestRevision, size: historyEvents, bytes: historyBytes } = this.#history;
    return {
      revision: this.#revision,
      oldestRevision,
      entries: this.#tree.size,
      valueBytes: this.#valueBytes,
      historyEvents,
      historyBytes,
      watches: this.#watches.size,
      ...this.#indexes.holdings,
    };
  }

  get(key: string): Entry | undefined {
    return this.#tree.get(key);
  }

  /** As {@link KeyValueStore.range}. */
  range(prefix: string, { after, limit, atRevision, select }: RangeOptions = {}): RangeResult {
    const revision = atRevision ?? this.#revision;
    if (atRevision !== undefined) this.#forgetTheOld();
    const tree = revision === this.#revision ? this.#tree : this.#history.stateAt(revision, this.#tree);
    const { entries, remaining } = select
      ? this.#readSelected(tree, revision, {
          prefix,
          after,
          limit: limit ?? Number.POSITIVE_INFINITY,
          selection: select,
        })
      : readPage(tree, prefix, after, limit);
    if (remaining > 0 && revision === this.#revision) this.#history.keep(this.#tree);
    return { entries, remaining, revision };
  }

  /** Writes a value under the next revision. The value must not change afterwards. */
  put(key: string, value: Uint8Array): KeyValueEvent {
    return this.apply(putEvent(key, value, this.#revision + 1, this.#tree.get(key)));
  }

  /** Deletes a key, which must be there, under the next revision. */
  remove(key: string): KeyValueEvent {
    const previous = this.#tree.get(key);
    if (!previous) throw new TypeError(`there is no key ${key} to remove`);
    return this.apply(deleteEvent(previous, this.#revision + 1));
  }

  /**
   * Makes an event happen that was decided elsewhere: the state, the history and the watches take it as it is.
   *
   * @param time when it happened, by the clock's monotonic time; now unless told
   * @throws RangeError where its revision is not the next one
   */
  apply(event: KeyValueEvent, time: number = this.#options.clock.monotonic()): KeyValueEvent {
    if (event.revision !== this.#revision + 1) {
      throw new RangeError(`revision ${event.revision} cannot follow revision ${this.#revision}`);
    }
    this.#take(event, time);
    this.#advance(event.revision);
    return event;
  }

  /**
   * Makes happen what a watch over another store tells. Its revisions may leave gaps, and several events may share one, but not over
   * two batches. Events that are known already are passed over. What was before is the entry held here, so that all who
   * look at it share it.
   */
  follow(batch: readonly KeyValueEvent[]): void {
    const time = this.#options.clock.monotonic();
    const fresh = batch.filter((event) => event.revision > this.#revision);
    for (const [i, event] of fresh.entries()) {
      this.#take(withPrevious(event, this.#tree.get(event.key)), time);
      if (fresh[i + 1]?.revision !== event.revision) this.#advance(event.revision);
    }
  }

  /** Nothing else has happened up to that revision, as another store tells. */
  advance(revision: number): void {
    if (revision > this.#revision) this.#advance(revision);
  }

  /** Tells the watches whose observers listen to progress how far they have come. */
  tellProgress(): void {
    this.#watches.progress(this.#revision);
  }

  /** As {@link KeyValueStore.watch}. */
  watch(prefix: string, options: WatchOptions, observer: WatchObserver): Watch {
    this.#forgetTheOld();
    if (options.concerning) requireCovered(prefix, options.concerning.index);
    try {
      const backlog = this.#backlog(prefix, options.afterRevision);
      const watch = this.#watches.add(prefix, options, observer, backlog);
      return new CoreWatch(this, watch);
    } catch (error) {
      return this.#watches.refuse(observer, error as Error);
    }
  }

  /**
   * Forgets the states before a revision.
   * @throws FutureRevisionError where it has not been reached
   */
  compact(revision: number): void {
    this.#history.compact(revision);
  }

  /** Ends all watches with an error. */
  fail(error: Error): void {
    this.#watches.fail(error);
  }

  /** A core with the same state and history but no watches. Memory is shared until one of the two changes it. */
  fork(): MvccCore {
    const fork = new MvccCore(this.#options);
    fork.#tree = this.#tree.clone();
    fork.#history = this.#history.fork();
    fork.#indexes = this.#indexes.fork();
    fork.#revision = this.#revision;
    fork.#valueBytes = this.#valueBytes;
    return fork;
  }

  #readSelected(tree: EntryTree, revision: number, range: SelectedRange): ReturnType<typeof readSelected> {
    for (const { index } of range.selection.conditions) requireCovered(range.prefix, index);
    return readSelected(range, {
      tree,
      distance: this.#revision - revision,
      changed: () => new Set(this.#backlog(range.prefix, revision).map(({ key }) => key)),
      termTree: ({ index }) => this.#indexes.newest(index, this.#tree, this.#revision, this.#history),
    });
  }

  #take(event: KeyValueEvent, time: number): void {
    if (event.entry) this.#tree.set(event.key, event.entry);
    else this.#tree.delete(event.key);
    this.#valueBytes += (event.entry?.value.length ?? 0) - (event.previous?.value.length ?? 0);
    this.#history.append(event, time);
    this.#watches.dispatch(event);
  }

  #advance(revision: number): void {
    this.#revision = revision;
    this.#history.advance(revision, this.#tree);
    this.#forgetTheOld();
  }

  #forgetTheOld(): void {
    const { clock, historyMilliseconds, historyLimit, historyBytes } = this.#options;
    this.#history.trim(clock.monotonic() - historyMilliseconds, historyLimit, historyBytes);
  }

  #backlog(prefix: string, revision: number): KeyValueEvent[] {
    if (revision >= this.#revision) return [];
    const events: KeyValueEvent[] = [];
    for (const event of this.#history.after(revision)) if (isBelow(prefix, event.key)) events.push(event);
    return events;
  }
}

/** A watch that has been told of everything that the core knows, less what waits for the end of this turn. */
class CoreWatch implements Watch {
  readonly #core: MvccCore;
  readonly #watch: ReturnType<WatchIndex['add']>;

  constructor(core: MvccCore, watch: ReturnType<WatchIndex['add']>) {
    this.#core = core;
    this.#watch = watch;
  }

  get delivered(): number {
    const { next } = this.#watch;
    return next ? next.revision - 1 : this.#core.revision;
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }
}

function requireCovered(prefix: string, index: EntryIndex): void {
  if (!prefix.startsWith(index.prefix))
    throw new TypeError(`an index of ${index.prefix} does not cover ${prefix}`);
}

/** The event of a value that is put over `previous`. */
export function putEvent(
  key: string,
  value: Uint8Array,
  revision: number,
  previous: Entry | undefined,
): KeyValueEvent {
  const entry: Entry = { key, value, revision, memo: undefined };
  return previous
    ? { type: 'put', key, revision, entry, previous, memo: undefined }
    : { type: 'put', key, revision, entry, memo: undefined };
}

/** The event of an entry that is deleted. */
export function deleteEvent(previous: Entry, revision: number): KeyValueEvent {
  return { type: 'delete', key: previous.key, revision, previous, memo: undefined };
}

/** The event with that entry as what was before. */
function withPrevious(event: KeyValueEvent, previous: Entry | undefined): KeyValueEvent {
  return previous === undefined || event.previous === previous ? event : { ...event, previous };
}
