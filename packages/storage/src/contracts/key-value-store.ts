import { CodedError, type MaybePromise } from '@ashlar/core';
import type { Entry, SharedEntries } from './entry.ts';
import type { EntryCondition, EntrySelection } from './entry-selection.ts';

/** One change. */
export interface KeyValueEvent {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** The new entry; absent after a delete. */
  readonly entry?: Entry;
  /** The previous entry; absent if the key is new. */
  readonly previous?: Entry;
  /** A cache for the layer above, shared by all watches that receive the event. Engines may clear it after delivery. */
  memo?: unknown;
}

/** Receives the events below a prefix, in batches, in the order of revisions. Called by the engine; must not throw. */
export interface WatchObserver {
  events(batch: readonly KeyValueEvent[]): void;
  /** The watch has ended: {@link RevisionCompactedError}, or a failure of the engine. The last call. */
  error(error: Error): void;
  /** All events up to this revision have been delivered. Only called by engines with `supports.progress`. */
  progress?(revision: number): void;
  /**
   * There are events. An engine may call this instead of `events`, which then follows when the observer calls `deliver`, with all events
   * that there are by then: many observers that ask at the same time receive the same batch. Without it events are delivered at once.
   */
  arrived?(deliver: () => void): void;
}

/**
 * The result of a write. A failed compare-and-swap is a value, not an exception: `current` is the stored entry, if any, and `revision` is
 * that of the state that rejected the write.
 */
export type WriteResult =
  | { readonly ok: true; readonly revision: number; readonly entry?: Entry; readonly previous?: Entry }
  | { readonly ok: false; readonly revision: number; readonly current?: Entry };

/** Which part of a prefix to read, and at which revision; by default the newest. */
export interface RangeOptions {
  /** Only keys that sort after this one. */
  readonly after?: string;
  /** Maximum number of entries; 0 only counts. */
  readonly limit?: number;
  /** Reads the state right after that revision. */
  readonly atRevision?: number;
  /** Accepts a state of that revision or later: caches need not check whether they are up to date. */
  readonly notOlderThan?: number;
  /** Only selected entries, which `limit` counts. For engines with `supports.selection`; {@link rangeSelected} supports all. */
  readonly select?: EntrySelection;
}

/** One page of a prefix. */
export interface RangeResult {
  readonly entries: readonly Entry[];
  /** Number of keys below the prefix after the last entry, selected or not; 0 if certainly none of them is selected. */
  readonly remaining: number;
  /** The revision that was read. */
  readonly revision: number;
  /** Present if these are all the entries of the range, and later reads of it return the same object until one of them changes. */
  readonly shared?: SharedEntries;
}

/** Condition and lease of a write. */
export interface PutOptions {
  /** Writes only if the current value has this revision; 0: only if the key is absent. By default unconditional. */
  readonly ifRevision?: number;
  /** Seconds after which the engine deletes the entry unless it is written again. */
  readonly leaseSeconds?: number;
}

/** Optional capabilities of an engine; the suite tests those that are declared. */
export interface StoreCapabilities {
  /** Data survives the process. */
  readonly durable: boolean;
  readonly fork: boolean;
  readonly leases: boolean;
  /** Reports progress to watches without events. */
  readonly progress: boolean;
  /** Supports ranges with `select` by indexes: their cost depends on the selected entries, not on the stored ones. */
  readonly selection: boolean;
}

/** What a store has in memory. */
export interface StoreUsage {
  /** The newest revision in memory. */
  readonly revision: number;
  /** The oldest revision in memory. */
  readonly oldestRevision: number;
  readonly entries: number;
  /** Bytes of the newest values, without overhead. */
  readonly valueBytes: number;
  /** Events in the history. */
  readonly historyEvents: number;
  /** Approximate memory of the history. */
  readonly historyBytes: number;
  /** Open watches served from memory. */
  readonly watches: number;
  readonly indexes: number;
  /** Pairs of term and entry in all indexes. */
  readonly indexTerms: number;
}

/** Where a watch starts, and which events of the prefix it needs. */
export interface WatchOptions {
  readonly afterRevision: number;
  /**
   * Only events of entries that match this, or matched before, are needed. Engines with indexes skip the others at no cost; other engines
   * deliver all.
   */
  readonly concerning?: EntryCondition;
}

/** An open watch. Disposing ends it without another call of its observer. */
export interface Watch extends Disposable {
  /**
   * Revision up to which all events have been delivered; undefined if unknown, such as while the watch catches up.
   */
  readonly delivered?: number | undefined;
}

/**
 * The interface of storage engines: bytes under keys with one revision counter. The revision is 1 before the first write, since 0 means
 * "any" to clients, and is incremented by each change. Keys sort by code unit; a prefix ends with `/`, or is a whole key and selects
 * that key alone, or is empty and selects all keys.
 *
 * The suite checks these guarantees: reads see every write acknowledged before; a write is acknowledged when it is as durable as the
 * engine makes it, and is not visible earlier; watches deliver every change after `afterRevision` exactly once and in order.
 * After disposal every call fails with a {@link StoreClosedError}, and so do the watches that were open.
 */
export interface KeyValueStore extends AsyncDisposable {
  readonly supports: StoreCapabilities;
  /** Reads the newest value, or with `notOlderThan` that of any cached state of that revision or later. */
  get(key: string, options?: { readonly notOlderThan?: number }): MaybePromise<Entry | undefined>;
  /**
   * @throws RevisionCompactedError if `atRevision` has been compacted
   * @throws FutureRevisionError if it has not been reached
   */
  range(prefix: string, options?: RangeOptions): MaybePromise<RangeResult>;
  /**
   * Writes a value, which must not be modified afterwards.
   * @throws ValueTooLargeError if the value is too large for the engine
   */
  put(key: string, value: Uint8Array, options?: PutOptions): MaybePromise<WriteResult>;
  /** Deletes a key; `ok` is false if it is absent or `ifRevision` is not its revision. */
  delete(key: string, options?: { readonly ifRevision?: number }): MaybePromise<WriteResult>;
  /**
   * Starts a watch. Events since `afterRevision` are delivered first; a watch from a future revision waits for it. The observer is never
   * called before this method has returned.
   */
  watch(prefix: string, options: WatchOptions, observer: WatchObserver): Watch;
  /**
   * Requests a progress notification for the watches of that exact prefix, or of all. For engines with `supports.progress`.
   */
  requestProgress?(prefix?: string): void;
  /** Reads the newest revision, consistently. */
  currentRevision(): MaybePromise<number>;
  /** Returns a revision that has certainly been reached, without a request. For stores that cache another store. */
  reachedRevision?(): number;
  /**
   * Checks for health endpoints that the store is writable; throws or rejects if it is not. For stores that may be readable while they are
   * not writable.
   */
  check?(): MaybePromise<void>;
  /** Returns what it has in memory, without a request; for stores that serve reads from memory. */
  usage?(): StoreUsage;
  /**
   * Discards the history before that revision: older reads and watches fail from then on, but watches of this store that were opened
   * before still receive all their events.
   * @throws FutureRevisionError if it has not been reached
   */
  compact(revision: number): MaybePromise<void>;
  /** Returns an independent store with the same state and history, which shares memory until either side writes. */
  fork?(): KeyValueStore;
}

/** The requested revision has been compacted. */
export class RevisionCompactedError extends CodedError {
  static override readonly code: string = 'ERR_REVISION_COMPACTED';
  override readonly name: string = 'RevisionCompactedError';
  readonly requested: number;
  /** The oldest revision that can be read, or watched from. */
  readonly oldest: number;
  constructor(requested: number, oldest: number) {
    super(`revision ${requested} has been compacted; the oldest is ${oldest}`);
    this.requested = requested;
    this.oldest = oldest;
  }
}

/** The requested revision has not been reached. */
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

/** A value exceeds the maximum size of the engine. */
export class ValueTooLargeError extends CodedError {
  static override readonly code: string = 'ERR_VALUE_TOO_LARGE';
  override readonly name: string = 'ValueTooLargeError';
  /** The maximum size in bytes. */
  readonly limit: number;
  constructor(limit: number) {
    super(`the value is larger than ${limit} bytes`);
    this.limit = limit;
  }
}

/** The store is not writable because of its disk or server. */
export class StoreFaultError extends CodedError {
  static override readonly code: string = 'ERR_STORE_FAULT';
  override readonly name: string = 'StoreFaultError';
  /** A description for clients, without paths and addresses. */
  readonly summary: string;
  /** Whether all writes fail until the store is opened again. */
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
