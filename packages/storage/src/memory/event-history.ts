import {
  FutureRevisionError,
  type KeyValueEvent,
  RevisionCompactedError,
} from '../contracts/key-value-store.ts';
import type { EntryTree } from './entry-tree.ts';

/** Events between two checkpoints: reading any held revision undoes or redoes at most half of them. */
const CHUNK = 2048;

/** About what an event and an entry take beside the value. */
const EVENT_BYTES = 128;
const ENTRY_BYTES = 384;

/** States of revisions between checkpoints that are kept at hand, for the next page of a list. */
const SNAPSHOTS = 16;

/** The state right after `base`, and the events that followed, each with its time. */
interface Chunk {
  readonly base: number;
  readonly tree: EntryTree;
  readonly events: KeyValueEvent[];
  readonly times: number[];
}

/**
 * What happened lately: events in the order of revisions, and with them every state in between. Revisions may be passed over,
 * and several events may share one, as in a store that others write to. Times are milliseconds of a clock that never goes back.
 */
export class EventHistory {
  readonly #chunks: Chunk[];
  readonly #snapshots: Map<number, EntryTree> = new Map();
  #oldest: number;
  #newest: number;
  /** Events in all chunks, and how many of them, in the first chunk, are forgotten. */
  #total: number = 0;
  #forgotten: number = 0;
  /** What the events cost that are not forgotten. */
  #bytes: number = 0;

  /** A history that begins with the state `tree` at `revision`. The tree must not change afterwards. */
  constructor(tree: EntryTree, revision: number) {
    this.#chunks = [{ base: revision, tree, events: [], times: [] }];
    this.#oldest = revision;
    this.#newest = revision;
  }

  /** The oldest revision whose state is held, and after which all events are. */
  get oldest(): number {
    return this.#oldest;
  }

  /** How many events are held. */
  get size(): number {
    return this.#total - this.#forgotten;
  }

  /** About how much memory is held for the past alone. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds the next event. Behind the last of its revision comes a call of {@link advance}. */
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

  /** Forgets the states before `revision`. One in the future is refused, one already forgotten changes nothing. */
  compact(revision: number): void {
    if (revision > this.#newest) throw new FutureRevisionError(revision, this.#newest);
    if (revision <= this.#oldest) return;
    this.#oldest = revision;
    const whole = this.#position(revision);
    for (const { events } of this.#chunks.splice(0, whole)) {
      this.#forget(events, events.length);
      this.#total -= events.length;
      this.#forgotten = 0;
    }
    const { events } = this.#chunks[0] as Chunk;
    this.#forget(events, countUntil(events, revision));
    for (const held of this.#snapshots.keys()) if (held < revision) this.#snapshots.delete(held);
  }

  /** Forgets the states that ended at or before `time`, and so many that at most `limit` events of `bytes` are held. */
  trim(time: number, limit: number, bytes: number): void {
    const revision = this.#endOf(time, this.size - limit, this.#bytes - bytes);
    if (revision > this.#oldest) this.compact(revision);
  }

  /**
   * The events after a revision, oldest first; none where it has not been reached.
   * @throws RevisionCompactedError where some are no longer held
   */
  *after(revision: number): Generator<KeyValueEvent> {
    if (revision < this.#oldest) throw new RevisionCompactedError(revision, this.#oldest);
    for (let at = this.#position(revision); at < this.#chunks.length; at++) {
      const { events } = this.#chunks[at] as Chunk;
      for (let i = countUntil(events, revision); i < events.length; i++) yield events[i] as KeyValueEvent;
    }
  }

  /**
   * The state right after a revision. Not to be changed.
   * @throws RevisionCompactedError where it is no longer held
   * @throws FutureRevisionError where it has not been reached
   */
  stateAt(revision: number, head: EntryTree): EntryTree {
    if (revision > this.#newest) throw new FutureRevisionError(revision, this.#newest);
    if (revision < this.#oldest) throw new RevisionCompactedError(revision, this.#oldest);
    if (revision === this.#newest) return head;
    const tree = this.#snapshots.get(revision) ?? this.#rebuild(revision, head);
    this.#remember(revision, tree);
    return tree;
  }

  /** Keeps the newest state at hand, since a list that goes on will ask for it again. */
  keep(head: EntryTree): void {
    if (!this.#snapshots.has(this.#newest)) this.#remember(this.#newest, head.clone());
  }

  /** The same history, going its own way from here on. What is past is shared. */
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

  /** The revision behind the events that are `excess`, hold `excessBytes`, or happened at or before `time`. */
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

  /** Counts the first events of the first chunk as forgotten. */
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

  /** Which chunk holds the state of a revision: the last that begins at or before it. */
  #position(revision: number): number {
    const before = firstWhere(this.#chunks, ({ base }) => base > revision);
    return Math.max(0, before - 1);
  }
}

/** What an event keeps in memory that would not be there without it: itself, and the value that it has put an end to. */
const bytesOf = ({ previous }: KeyValueEvent): number =>
  EVENT_BYTES + (previous ? previous.value.length + ENTRY_BYTES : 0);

/** How many of the events lie at or before a revision. */
const countUntil = (events: readonly KeyValueEvent[], revision: number): number =>
  firstWhere(events, (event) => event.revision > revision);

/** Where the elements begin of which a condition holds that, once it holds, holds of all that follow. */
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
