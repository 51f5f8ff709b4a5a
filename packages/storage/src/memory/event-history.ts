import {
  FutureRevisionError,
  type KeyValueEvent,
  RevisionCompactedError,
} from '../contracts/key-value-store.ts';
import type { EntryTree } from './entry-tree.ts';

/** Events between two checkpoints: reading a revision undoes or redoes at most half of them. */
const CHUNK = 2048;

/** Approximate memory of an event and an entry besides the value. */
const EVENT_BYTES = 128;
const ENTRY_BYTES = 384;

/** Cached states of revisions between checkpoints, for the next page of a list. */
const SNAPSHOTS = 16;

/** The state right after `base`, and the following events with their times. */
interface Chunk {
  readonly base: number;
  readonly tree: EntryTree;
  readonly events: KeyValueEvent[];
  readonly times: number[];
}

/**
 * The recent events in the order of revisions, and every state in between. Revisions may have gaps, and several events may share one, as
 * in a store with other writers. Times are milliseconds of a monotonic clock.
 */
export class EventHistory {
  readonly #chunks: Chunk[];
  readonly #snapshots: Map<number, EntryTree> = new Map();
  #oldest: number;
  #newest: number;
  /** Events in all chunks, and how many of them, in the first chunk, are discarded. */
  #total: number = 0;
  #forgotten: number = 0;
  /** Approximate bytes of the events that are not discarded. */
  #bytes: number = 0;

  /** Creates a history that starts with the state `tree` at `revision`. The tree must not be modified afterwards. */
  constructor(tree: EntryTree, revision: number) {
    this.#chunks = [{ base: revision, tree, events: [], times: [] }];
    this.#oldest = revision;
    this.#newest = revision;
  }

  /** The oldest revision that can be read, and after which all events are available. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Number of events. */
  get size(): number {
    return this.#total - this.#forgotten;
  }

  /** Approximate memory of the history. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds the next event. After the last event of a revision, call {@link advance}. */
  append(event: KeyValueEvent, time: number): void {
    const { events, times } = this.#chunks.at(-1) as Chunk;
    events.push(event);
    times.push(time);
    this.#total++;
    this.#bytes += bytesOf(event);
  }

  /** Everything up to `revision` has been added; `head` is the state after it. */
  advance(revision: number, head: EntryTree): void {
    this.#newest = revision;
    const { events } = this.#chunks.at(-1) as Chunk;
    if (events.length < CHUNK) return;
    this.#chunks.push({ base: revision, tree: head.clone(), events: [], times: [] });
  }

  /** Discards the states before `revision`. A future one is an error, one already discarded has no effect. */
  compact(revision: number): void {
    if (revision > this.#newest) throw new FutureRevisionError(revision, this.#newest);
    if (revision <= this.#oldest) return;
    this.#oldest = revision;
    const chunkCount = this.#position(revision);
    for (const { events } of this.#chunks.splice(0, chunkCount)) {
      this.#forget(events, events.length);
      this.#total -= events.length;
      this.#forgotten = 0;
    }
    const { events } = this.#chunks[0] as Chunk;
    this.#forget(events, countUntil(events, revision));
    for (const snapshotRevision of this.#snapshots.keys())
      if (snapshotRevision < revision) this.#snapshots.delete(snapshotRevision);
  }

  /** Discards the states that ended at or before `time`, and more until at most `limit` events of `bytes` are left. */
  trim(time: number, limit: number, bytes: number): void {
    const revision = this.#endOf(time, this.size - limit, this.#bytes - bytes);
    if (revision > this.#oldest) this.compact(revision);
  }

  /**
   * Yields the events after a revision, oldest first.
   * @throws RevisionCompactedError if some have been discarded
   */
  *after(revision: number): Generator<KeyValueEvent> {
    if (revision < this.#oldest) throw new RevisionCompactedError(revision, this.#oldest);
    for (let at = this.#position(revision); at < this.#chunks.length; at++) {
      const { events } = this.#chunks[at] as Chunk;
      for (let i = countUntil(events, revision); i < events.length; i++) yield events[i] as KeyValueEvent;
    }
  }

  /**
   * Returns the state right after a revision. Must not be modified.
   * @throws RevisionCompactedError if it has been discarded
   * @throws FutureRevisionError if it has not been reached
   */
  stateAt(revision: number, head: EntryTree): EntryTree {
    if (revision > this.#newest) throw new FutureRevisionError(revision, this.#newest);
    if (revision < this.#oldest) throw new RevisionCompactedError(revision, this.#oldest);
    if (revision === this.#newest) return head;
    const tree = this.#snapshots.get(revision) ?? this.#rebuild(revision, head);
    this.#remember(revision, tree);
    return tree;
  }

  /** Caches the newest state for the next page of a list. */
  keep(head: EntryTree): void {
    if (!this.#snapshots.has(this.#newest)) this.#remember(this.#newest, head.clone());
  }

  /** Returns an independent copy that shares the past. */
  fork(): EventHistory {
    const fork = new EventHistory((this.#chunks[0] as Chunk).tree, this.#oldest);
    const open = this.#chunks.at(-1) as Chunk;
    fork.#chunks.splice(0, 1, ...this.#chunks.slice(0, -1), {
      ...open,
      events: open.events.slice(),
      times: open.times.slice(),
    });
    fork.#newest = this.#newest;
    fork.#total = this.#total;
    fork.#forgotten = this.#forgotten;
    fork.#bytes = this.#bytes;
    return fork;
  }

  /** Returns the revision after the events that are `excess`, hold `excessBytes`, or happened at or before `time`. */
  #endOf(time: number, excess: number, excessBytes: number): number {
    let revision = this.#oldest;
    let passed = -this.#forgotten;
    let bytes = 0;
    for (const { events, times } of this.#chunks) {
      for (let i = Math.max(0, -passed); i < events.length; i++) {
        const event = events[i] as KeyValueEvent;
        const stays = passed + i >= excess && bytes >= excessBytes && (times[i] as number) > time;
        if (stays && event.revision !== revision) return revision;
        revision = event.revision;
        bytes += bytesOf(event);
      }
      passed += events.length;
    }
    return revision;
  }

  /** Marks the first events of the first chunk as discarded. */
  #forget(events: readonly KeyValueEvent[], count: number): void {
    for (let i = this.#forgotten; i < count; i++) this.#bytes -= bytesOf(events[i] as KeyValueEvent);
    this.#forgotten = count;
  }

  #remember(revision: number, tree: EntryTree): void {
    this.#snapshots.delete(revision);
    this.#snapshots.set(revision, tree);
    if (this.#snapshots.size <= SNAPSHOTS) return;
    for (const leastRecent of this.#snapshots.keys()) {
      this.#snapshots.delete(leastRecent);
      return;
    }
  }

  #rebuild(revision: number, head: EntryTree): EntryTree {
    const at = this.#position(revision);
    const { tree, events } = this.#chunks[at] as Chunk;
    const done = countUntil(events, revision);
    const forward = done <= events.length - done;
    const state = (forward ? tree : (this.#chunks[at + 1]?.tree ?? head)).clone();
    if (forward) for (let i = 0; i < done; i++) redo(state, events[i] as KeyValueEvent);
    else for (let i = events.length; i > done; i--) undo(state, events[i - 1] as KeyValueEvent);
    return state;
  }

  /** Returns the chunk with the state of a revision: the last that starts at or before it. */
  #position(revision: number): number {
    const before = firstWhere(this.#chunks, ({ base }) => base > revision);
    return Math.max(0, before - 1);
  }
}

/** Returns the memory that an event retains: itself, and the value that it superseded. */
const bytesOf = ({ previous }: KeyValueEvent): number =>
  EVENT_BYTES + (previous ? previous.value.length + ENTRY_BYTES : 0);

/** Returns the number of events at or before a revision. */
const countUntil = (events: readonly KeyValueEvent[], revision: number): number =>
  firstWhere(events, (event) => event.revision > revision);

/** Returns the index of the first element that meets a condition which all following elements meet, too. */
function firstWhere<T>(elements: readonly T[], holds: (element: T) => boolean): number {
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(elements[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function redo(tree: EntryTree, { key, entry }: KeyValueEvent): void {
  if (entry) tree.set(key, entry);
  else tree.delete(key);
}

function undo(tree: EntryTree, { key, previous }: KeyValueEvent): void {
  if (previous) tree.set(key, previous);
  else tree.delete(key);
}
