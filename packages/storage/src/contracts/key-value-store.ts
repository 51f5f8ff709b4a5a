import { CodedError } from '@ashlar/core';
import type { Entry } from './entry.ts';
import type { EntryCondition, EntrySelection } from './entry-selection.ts';
import type { MaybePromise } from './maybe-promise.ts';

/** One change. */
export interface KeyValueEvent {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** What is stored now; absent after a delete. */
  readonly entry?: Entry;
  /** What was stored before; absent when the key is new. */
  readonly previous?: Entry;
  /** Room for what the layer above derives from this event, shared by all watches that are told of it. Engines may empty it once they have been. */
  memo?: unknown;
}

/** Receives what happens below a prefix, in the order of revisions, in batches. Calls come from the engine and must not throw. */
export interface WatchObserver {
  events(batch: readonly KeyValueEvent[]): void;
  /** The watch has ended: {@link RevisionCompactedError}, or what failed in the engine. Nothing comes after it. */
  error(error: Error): void;
  /** Everything up to this revision has been delivered. Only engines whose `supports.progress` says so call it. */
  progress?(revision: number): void;
}

/**
 * A lost compare-and-swap is a value, not an exception: `current` is what is stored instead, absent where nothing is. Its
 * revision is then that of the state which refused the write.
 */
export type WriteResult =
  | { readonly ok: true; readonly revision: number; readonly entry?: Entry; readonly previous?: Entry }
  | { readonly ok: false; readonly revision: number; readonly current?: Entry };

/** Which part of a prefix, and of which revision; without `atRevision` the newest. */
export interface RangeOptions {
  /** Only keys that sort behind this one. */
  readonly after?: string;
  /** At most that many entries; 0 only counts. */
  readonly limit?: number;
  /** The state right after that revision. */
  readonly atRevision?: number;
  /** A state of that revision or a later one will do: who keeps copies need not ask whether they are the newest. */
  readonly notOlderThan?: number;
  /** Only what is selected, as `limit` counts it. For engines whose `supports.selection` says so; {@link rangeSelected} asks all. */
  readonly select?: EntrySelection;
}

/** One page of a prefix. */
export interface RangeResult {
  readonly entries: readonly Entry[];
  /** Keys below the prefix that sort behind the last entry given, selected or not; 0 where a selection selects none of them for sure. */
  readonly remaining: number;
  /** The revision that was read. */
  readonly revision: number;
}

/** On what condition a value is written, and for how long. */
export interface PutOptions {
  /** Only if the key's current value has this revision; 0: only if the key is absent. Without it: in any case. */
  readonly ifRevision?: number;
  /** The entry is deleted by the engine after that many seconds without another write. */
  readonly leaseSeconds?: number;
}

/** What an engine can do beyond the minimum; the suite asks only for what is declared. */
export interface StoreCapabilities {
  /** Survives the process. */
  readonly durable: boolean;
  readonly fork: boolean;
  readonly leases: boolean;
  /** Reports progress to watchers without events. */
  readonly progress: boolean;
  /** Answers ranges with `select`, by indexes: they cost what is selected, not what is stored. */
  readonly selection: boolean;
}

/** What a store holds in memory. */
export interface StoreHoldings {
  /** The newest that is known here. */
  readonly revision: number;
  /** The oldest that is held here. */
  readonly oldestRevision: number;
  readonly entries: number;
  /** Of the newest values, without what they cost beside. */
  readonly valueBytes: number;
  /** Changes of the past that are held. */
  readonly historyEvents: number;
  /** About what the past takes in memory. */
  readonly historyBytes: number;
  /** Open watches that are served from here. */
  readonly watches: number;
  readonly indexes: number;
  /** Pairs of term and entry in all indexes. */
  readonly indexTerms: number;
}

/** Where a watch begins, and what of the prefix it is about. */
export interface WatchOptions {
  readonly afterRevision: number;
  /**
   * Only events are wanted of entries for which this holds, or held before. Engines that keep indexes leave out the others, which
   * then cost nothing; the rest tell of all.
   */
  readonly concerning?: EntryCondition;
}

/** An open watch. Disposing ends it without another call of its observer. */
export interface Watch extends Disposable {
  /**
   * Up to which revision its observer has been told of everything; undefined where that is not known, as while it still catches
   * up.
   */
  readonly delivered?: number | undefined;
}

/**
 * What the author of an engine writes: bytes under keys, one revision counter for all of them. It is 1 while nothing has
 * ever been written, since clients take 0 for "any", and grows by one with each change. Keys sort by code unit; a prefix ends
 * with `/`, or is a whole key and then means that key alone, or is empty and means all keys.
 *
 * Guarantees that the suite checks: reads see every write acknowledged before; a write is acknowledged when it is as
 * durable as the engine makes it, and visible not before; watches deliver every change after `afterRevision` exactly once and in order.
 * After disposal every call fails with a {@link StoreClosedError}, and so do the watches that were open.
 */
export interface KeyValueStore extends AsyncDisposable {
  readonly supports: StoreCapabilities;
  /** The newest value, or with `notOlderThan` that of a state which is no older, where a copy of one is at hand. */
  get(key: string, options?: { readonly notOlderThan?: number }): MaybePromise<Entry | undefined>;
  /**
   * @throws RevisionCompactedError where `atRevision` is no longer held
   * @throws FutureRevisionError where it has not been reached
   */
  range(prefix: string, options?: RangeOptions): MaybePromise<RangeResult>;
  /**
   * Writes a value. The caller does not change it afterwards.
   * @throws ValueTooLargeError where the engine cannot hold so large a value
   */
  put(key: string, value: Uint8Array, options?: PutOptions): MaybePromise<WriteResult>;
  /** Deletes a key; `ok` is false where it is absent or `ifRevision` is not its revision. */
  delete(key: string, options?: { readonly ifRevision?: number }): MaybePromise<WriteResult>;
  /**
   * Starts at once; what lies between `afterRevision` and now is delivered first, one in the future waits for it. The observer
   * is never called before this method has returned.
   */
  watch(prefix: string, options: WatchOptions, observer: WatchObserver): Watch;
  /**
   * Asks that the watches of that very prefix, or all, be told soon how far they have come. For engines whose
   * `supports.progress` says so.
   */
  requestProgress?(prefix?: string): void;
  /** Revision of the newest change; a consistent read of it. */
  currentRevision(): MaybePromise<number>;
  /** A revision that has been reached for sure, without asking anybody. For stores that keep copies of what another holds. */
  knownRevision?(): number;
  /**
   * Whether writes can be made now, for whoever tells of the server's health; throws, or rejects, where they cannot. For stores that may
   * be read while they cannot be written.
   */
  check?(): MaybePromise<void>;
  /** What is held in memory, for whoever shows it; for stores that answer from there. Asks nobody. */
  holdings?(): StoreHoldings;
  /**
   * Forgets history before that revision: older reads and watches are refused from then on.
   * @throws FutureRevisionError where it has not been reached
   */
  compact(revision: number): MaybePromise<void>;
  /** An independent store with the same state and history, sharing memory until either side writes. */
  fork?(): KeyValueStore;
}

/** The history that was asked for is no longer held. */
export class RevisionCompactedError extends CodedError {
  static override readonly code: string = 'ERR_REVISION_COMPACTED';
  override readonly name: string = 'RevisionCompactedError';
  readonly requested: number;
  /** The oldest revision that can still be read, or watched from. */
  readonly oldest: number;
  constructor(requested: number, oldest: number) {
    super(`revision ${requested} has been compacted; the oldest is ${oldest}`);
    this.requested = requested;
    this.oldest = oldest;
  }
}

/** The revision that was asked for has not been reached. */
export class FutureRevisionError extends CodedError {
  static override readonly code: string = 'ERR_FUTURE_REVISION';
  override readonly name: string = 'FutureRevisionError';
  readonly requested: number;
  readonly current: number;
  constructor(requested: number, current: number) {
    super(`revision ${requested} is in the future; the current is ${current}`);
    this.requested = requested;
    this.current = current;
  }
}

/** A value is larger than the engine takes. */
export class ValueTooLargeError extends CodedError {
  static override readonly code: string = 'ERR_VALUE_TOO_LARGE';
  override readonly name: string = 'ValueTooLargeError';
  /** The largest size, in bytes. */
  readonly limit: number;
  constructor(limit: number) {
    super(`the value is larger than ${limit} bytes`);
    this.limit = limit;
  }
}

/** The store cannot be written, for reasons that lie with what it stands on. */
export class StoreFaultError extends CodedError {
  static override readonly code: string = 'ERR_STORE_FAULT';
  override readonly name: string = 'StoreFaultError';
  /** What callers may know of it: no paths, no addresses. */
  readonly summary: string;
  /** Whether no write will succeed until the store is opened again. */
  readonly isLasting: boolean;
  constructor(message: string, { summary, isLasting }: Pick<StoreFaultError, 'summary' | 'isLasting'>) {
    super(message);
    this.summary = summary;
    this.isLasting = isLasting;
  }
}

/** The store has been disposed of. */
export class StoreClosedError extends CodedError {
  static override readonly code: string = 'ERR_STORE_CLOSED';
  override readonly name: string = 'StoreClosedError';
  constructor() {
    super('the store is closed');
  }
}
