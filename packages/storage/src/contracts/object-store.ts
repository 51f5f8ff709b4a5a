import type { ApiObject, MaybePromise } from '@ashlar/core';
import type { ObjectRecord } from '../objects/object-record.ts';
import type { UnreadableObjectError } from '../objects/unreadable-object.ts';
import type { StoreUsage, Watch } from './key-value-store.ts';
import type { RecordCondition, RecordSelection } from './record-index.ts';

/** Freshness of a read. By default it is consistent: it sees every write acknowledged before it started. */
export interface ReadOptions {
  /** Minimum revision; 0 accepts any state. Waits up to three seconds, then fails with 504 (semantics/list-and-watch#list). */
  readonly notOlderThan?: number;
  /** Refuses a revision that has not been reached with 504 at once, instead of waiting for it. */
  readonly mustBeReached?: boolean;
  readonly signal?: AbortSignal;
}

/** Which part of a prefix to list, and at which revision. */
export interface ListOptions extends ReadOptions {
  /** Only keys after this one. */
  readonly after?: string;
  /** Maximum number of records; 0 only counts. */
  readonly limit?: number;
  /** Reads exactly this revision. */
  readonly atRevision?: number;
  /** Called with each object that cannot be read, which is left out then; by default a list with one fails. */
  readonly onUnreadable?: (error: UnreadableObjectError) => void;
  /** Only selected records, which `limit` counts: with an engine that has indexes, others cost nothing. */
  readonly select?: RecordSelection;
}

/** One page of a list. */
export interface ListResult {
  readonly records: readonly ObjectRecord[];
  /** Key of the last object that was read, if it was left out because it cannot be read. */
  readonly lastKey?: string;
  /** Number of keys after the last record, selected or not; 0 if certainly none of them is selected. */
  readonly remaining: number;
  readonly revision: number;
  /** Results with the same identity have the same records. */
  readonly identity?: object;
}

/** The decision of a change. */
export type Change =
  | {
      readonly action: 'write';
      readonly object: ApiObject;
      readonly leaseSeconds?: number;
      /** Whether the next write is stored even if it changes nothing: a space at the end of the stored text says so. */
      readonly isProvisional?: boolean;
    }
  | { readonly action: 'remove' }
  | { readonly action: 'keep' };

/**
 * Decides how to change the current object, if any. Called again with the newer object if another write came first, so it must not have
 * side effects.
 */
export type ChangeFunction = (current: ObjectRecord | undefined) => MaybePromise<Change>;

/** What a change of an object has come to. */
export interface ChangeResult {
  /** The stored record; after a removal the last state with the revision of the removal; undefined if there is none. */
  readonly record: ObjectRecord | undefined;
  /** The previous record. */
  readonly previous: ObjectRecord | undefined;
  /** `unchanged` also if the object equals the stored one, byte for byte: nothing is written then. */
  readonly outcome: 'created' | 'updated' | 'removed' | 'unchanged';
}

/** One change of an object. */
export interface ObjectEvent {
  readonly type: 'created' | 'updated' | 'removed';
  /** The new state; for removals the last state with the revision of the removal. */
  readonly record: ObjectRecord;
  /** The previous state, for updates. */
  readonly previous?: ObjectRecord;
}

/** Receives changes in the order of revisions. Calls must not throw. */
export interface ObjectObserver {
  events(batch: readonly ObjectEvent[]): void;
  /** The watch has ended; StatusError 410 if its start has been compacted. The last call. */
  error(error: Error): void;
  /** All events up to this revision have been delivered; only with engines and caches that report it. */
  progress?(revision: number): void;
  /** There are events, which `deliver` passes to `events`, as in {@link WatchObserver}. Without it they are delivered at once. */
  arrived?(deliver: () => void): void;
}

/** Where a watch starts, and which events of the prefix it needs. */
export interface ObjectWatchOptions {
  readonly afterRevision: number;
  /** Events of objects that neither match this nor matched before may be skipped. */
  readonly concerning?: RecordCondition;
  /** Called with each object of an event that cannot be read, which is left out then; by default it ends the watch. */
  readonly onUnreadable?: (error: UnreadableObjectError) => void;
}

/**
 * The object storage of the registry: objects under keys `<prefix><namespace>/<name>` or `<prefix><name>`. Errors are
 * StatusErrors: 410 for compacted revisions, 504 for revisions in the future, 413 for values that are too large for the engine, 500 for
 * objects that cannot be read: a `change` gets them as records with a `fault`, and may remove them.
 */
export interface ObjectStore {
  get(key: string, options?: ReadOptions): MaybePromise<ObjectRecord | undefined>;
  list(prefix: string, options?: ListOptions): MaybePromise<ListResult>;
  /** Reads, changes and writes with compare-and-swap, and retries until that succeeds. Errors of `change` are thrown as they are. */
  update(
    key: string,
    change: ChangeFunction,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ChangeResult>;
  /** Watches changes after `afterRevision`; a watch from a future revision waits for it. */
  watch(prefix: string, options: ObjectWatchOptions, observer: ObjectObserver): Watch;
  currentRevision(): MaybePromise<number>;
  /** Returns what the engine has in memory; undefined with engines that have none. */
  usage?(): StoreUsage | undefined;
}
