import type { EntryTree } from './entry-tree.ts';
import { FutureRevisionError, type KeyValueEvent, RevisionCompactedError } from './key-value-store.ts';

/** Events between two checkpoints: reading any held revision undoes or redoes at most half of them. */
const CHUNK = 512;

/** States of revisions between checkpoints that are kept at hand, for the next page of a list. */
const SNAPSHOTS = 16;

/** The state right after `base`, and the events `base + 1`, `base + 2`, … that followed, each with its time. */
interface Chunk {
  readonly base: number;
  readonly tree: EntryTree;
  readonly events: KeyValueEvent[];
  readonly times: number[];
}

/**
 * What happened lately: events in the order of revisions, without gaps, and with them every state in between. Times are
 * milliseconds of a clock that never goes back.
 */
export class EventHistory {
  readonly #chunks: Chunk[];
  readonly #snapshots: Map<number, EntryTree> = new Map();
  #oldest: number;
  #newest: number;

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

  /** Adds the next event; `head` is the state after it. */
  append(event: KeyValueEvent, time: number, head: EntryTree): void {
    const chunk = this.#chunks.at(-1) as Chunk;
    chunk.events.push(event);
    chunk.times.push(time);
    this.#newest = event.revision;
    if (chunk.events.length === CHUNK) {
      this.#chunks.push({ base: event.revision, tree: head.clone(), events: [], times: [] });
    }
  }

  /** Forgets the states before `revision`. One in the future is refused, one already forgotten changes nothing. */
  compact(revision: number): void {
    if (revision > this.#newest) throw new FutureRevisionError(revision, this.#newest);
    if (revision <= this.#oldest) return;
    this.#oldest = revision;
    const whole = this.#position(revision);
    if (whole > 0) this.#chunks.splice(0, whole);
    for (const held of this.#snapshots.keys()) if (held < revision) this.#snapshots.delete(held);
  }

  /** Forgets the states that ended at or before `time`, and so many that at most `limit` events are held. */
  trim(time: number, limit: number): void {
    let revision = Math.max(this.#oldest, this.#newest - limit);
    while (revision < this.#newest && this.#timeOf(revision + 1) <= time) revision++;
    if (revision > this.#oldest) this.compact(revision);
  }

  /**
   * The events after a revision, oldest first; none where it has not been reached.
   * @throws RevisionCompactedError where some are no longer held
   */
  *after(revision: number): Generator<KeyValueEvent> {
    if (revision < this.#oldest) throw new RevisionCompactedError(revision, this.#oldest);
    for (let at = this.#position(revision); at < this.#chunks.length; at++) {
      const { base, events } = this.#chunks[at] as Chunk;
      for (let i = Math.max(0, revision - base); i < events.length; i++) yield events[i] as KeyValueEvent;
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
    return fork;
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
    const { base, tree, events } = this.#chunks[at] as Chunk;
    const done = revision - base;
    const forward = done <= events.length - done;
    const state = (forward ? tree : (this.#chunks[at + 1]?.tree ?? head)).clone();
    if (forward) for (let i = 0; i < done; i++) redo(state, events[i] as KeyValueEvent);
    else for (let i = events.length; i > done; i--) undo(state, events[i - 1] as KeyValueEvent);
    return state;
  }

  #timeOf(revision: number): number {
    const { base, times } = this.#chunks[this.#position(revision - 1)] as Chunk;
    return times[revision - base - 1] as number;
  }

  /** Which chunk holds the state of a revision; the last one for those to come. */
  #position(revision: number): number {
    const first = this.#chunks[0] as Chunk;
    return Math.min(Math.floor((revision - first.base) / CHUNK), this.#chunks.length - 1);
  }
}

function redo(tree: EntryTree, { key, entry }: KeyValueEvent): void {
  if (entry) tree.set(key, entry);
  else tree.delete(key);
}

function undo(tree: EntryTree, { key, previous }: KeyValueEvent): void {
  if (previous) tree.set(key, previous);
  else tree.delete(key);
}
