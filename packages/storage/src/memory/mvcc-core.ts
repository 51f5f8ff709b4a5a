import type { Clock } from '@ashlar/core';
import type { Entry } from '../contracts/entry.ts';
import type { EntryIndex } from '../contracts/entry-selection.ts';
import type {
  KeyValueEvent,
  RangeOptions,
  RangeResult,
  StoreUsage,
  Watch,
  WatchObserver,
  WatchOptions,
} from '../contracts/key-value-store.ts';
import { readSelected, type SelectedPage, type SelectedRange } from '../objects/read-selected.ts';
import { createEntryTree, type EntryTree, entryAt, isBelow, readPage } from './entry-tree.ts';
import { EventHistory } from './event-history.ts';
import { IndexSet } from './index-set.ts';
import { SharedRanges } from './shared-ranges.ts';
import { WatchIndex } from './watch-index.ts';

/** Limits of the history. */
export interface HistoryOptions {
  /** Clock for the age of events, by its monotonic time. */
  readonly clock: Clock;
  /** How long superseded states stay readable; default 300,000 (five minutes). */
  readonly historyMilliseconds?: number;
  /** Maximum number of events; default 100,000. */
  readonly historyLimit?: number;
  /** Approximate maximum memory of the history in bytes; default 67,108,864. */
  readonly historyBytes?: number;
}

/** The initial state of a core. */
export interface InitialState {
  readonly entries: Iterable<Entry>;
  readonly revision: number;
}

const DEFAULTS = { historyMilliseconds: 300_000, historyLimit: 100_000, historyBytes: 67_108_864 };

const EMPTY: InitialState = { entries: [], revision: 1 };

/**
 * The core of an engine with its state in memory: the newest entries, the recent history and the watches, with one revision counter
 * (multi-version concurrency control). The engine that owns it decides what is written, and when.
 *
 * Clones of the tree are stored every few hundred revisions, and for revisions of paginated lists; any other state is computed from the
 * nearest clone by undoing or redoing the few events between.
 */
export class MvccCore {
  readonly #options: Required<HistoryOptions>;
  readonly #watches: WatchIndex = new WatchIndex();
  #indexes: IndexSet = new IndexSet();
  readonly #ranges: SharedRanges = new SharedRanges();
  #tree: EntryTree;
  #history: EventHistory;
  #revision: number;
  #valueBytes: number = 0;

  /** Creates a core; an empty one is at revision 1, since 0 means "any" to clients. */
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

  /** Implements {@link KeyValueStore.usage}. */
  get usage(): StoreUsage {
    const { oldest: oldestRevision, size: historyEvents, bytes: historyBytes } = this.#history;
    return {
      revision: this.#revision,
      oldestRevision,
      entries: this.#tree.size,
      valueBytes: this.#valueBytes,
      historyEvents,
      historyBytes,
      watches: this.#watches.size,
      ...this.#indexes.usage,
    };
  }

  get(key: string): Entry | undefined {
    return entryAt(this.#tree, key);
  }

  /** Implements {@link KeyValueStore.range}. */
  range(prefix: string, options: RangeOptions = {}): RangeResult {
    const { after, limit = Number.POSITIVE_INFINITY, atRevision, select } = options;
    const revision = atRevision ?? this.#revision;
    if (atRevision !== undefined) this.#forgetTheOld();
    const tree = revision === this.#revision ? this.#tree : this.#history.stateAt(revision, this.#tree);
    const isNewest = tree === this.#tree;
    const page = select
      ? this.#readSelected(tree, revision, { prefix, after, limit, selection: select })
      : isNewest && after === undefined
        ? this.#readFirst(prefix, limit)
        : readPage(tree, prefix, after, limit);
    // a count has no next page
    if (page.remaining > 0 && limit > 0 && isNewest) this.#history.keep(tree);
    return { revision, ...page };
  }

  /** Writes a value with the next revision. The value must not be modified afterwards. */
  put(key: string, value: Uint8Array): KeyValueEvent {
    return this.apply(putEvent(key, value, this.#revision + 1, entryAt(this.#tree, key)));
  }

  /** Deletes an existing key with the next revision. */
  remove(key: string): KeyValueEvent {
    const previous = entryAt(this.#tree, key);
    if (!previous) throw new TypeError(`there is no key ${key} to remove`);
    return this.apply(deleteEvent(previous, this.#revision + 1));
  }

  /**
   * Applies an event to the state, the history and the watches.
   *
   * @param time of the event, by the clock's monotonic time; default: now
   * @throws RangeError if its revision is not the next one
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
   * Applies events of a watch on another store. Revisions may have gaps, and several events of one batch may share a revision. Events that
   * have already been applied are ignored. Previous entries are replaced by those in this core, so that they are shared.
   */
  follow(batch: readonly KeyValueEvent[]): void {
    const time = this.#options.clock.monotonic();
    const newEvents = batch.filter((event) => event.revision > this.#revision);
    for (const [i, event] of newEvents.entries()) {
      this.#take(withPrevious(event, entryAt(this.#tree, event.key)), time);
      if (newEvents[i + 1]?.revision !== event.revision) this.#advance(event.revision);
    }
  }

  /** Advances the revision without events, as another store reports. */
  advance(revision: number): void {
    if (revision > this.#revision) this.#advance(revision);
  }

  /** Reports progress to watches whose observers support it. */
  reportProgress(): void {
    this.#watches.progress(this.#revision);
  }

  /** Implements {@link KeyValueStore.watch}. */
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
   * Discards the states before a revision.
   * @throws FutureRevisionError if it has not been reached
   */
  compact(revision: number): void {
    this.#history.compact(revision);
  }

  /** Ends all watches with an error. */
  fail(error: Error): void {
    this.#watches.fail(error);
  }

  /** Returns a core with the same state and history but no watches. Memory is shared until one of the two is modified. */
  fork(): MvccCore {
    const fork = new MvccCore(this.#options);
    fork.#tree = this.#tree.clone();
    fork.#history = this.#history.fork();
    fork.#indexes = this.#indexes.fork();
    fork.#revision = this.#revision;
    fork.#valueBytes = this.#valueBytes;
    return fork;
  }

  /** Reads the first page of the newest state. */
  #readFirst(prefix: string, limit: number): SelectedPage {
    return (
      this.#ranges.get(prefix, limit) ??
      this.#ranges.share(prefix, limit, readPage(this.#tree, prefix, undefined, limit))
    );
  }

  #readSelected(tree: EntryTree, revision: number, range: SelectedRange): SelectedPage {
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
    this.#ranges.drop(event.key);
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

/** A watch that has received all events of the core, except those delivered at the end of this turn. */
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

/** Creates the event of a put over `previous`. */
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

/** Creates the event of a deletion. */
export function deleteEvent(previous: Entry, revision: number): KeyValueEvent {
  return { type: 'delete', key: previous.key, revision, previous, memo: undefined };
}

/** Returns an event with another previous entry. */
function withPrevious(event: KeyValueEvent, previous: Entry | undefined): KeyValueEvent {
  return previous === undefined || event.previous === previous ? event : { ...event, previous };
}
