import type { ApiObject } from '@ashlar/core';
import type { ObjectRecord } from '../objects/object-record.ts';
import type { StoreHoldings, Watch } from './key-value-store.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { RecordCondition, RecordSelection } from './record-index.ts';

/** How new an answer must be. Without either the read is consistent: it sees every write acknowledged before it began. */
export interface ReadOptions {
  /** At least this revision: 0 takes whatever is at hand. Waits up to three seconds, then fails with a 504 (semantics/list-and-watch#list). */
  readonly notOlderThan?: number;
  readonly signal?: AbortSignal;
}

/** Which part of a prefix, and of which revision. */
export interface ListOptions extends ReadOptions {
  /** Only keys behind this one. */
  readonly after?: string;
  /** At most that many; 0 only counts. */
  readonly limit?: number;
  /** Exactly the state of this revision. */
  readonly atRevision?: number;
  /** Only what is selected, as `limit` counts it: the list costs what is selected where the engine keeps indexes. */
  readonly select?: RecordSelection;
}

/** One page of a list. */
export interface ListResult {
  readonly records: readonly ObjectRecord[];
  /** Keys behind the last record, selected or not; 0 where none of them is selected for sure. */
  readonly remaining: number;
  readonly revision: number;
}

/** What a change makes of the current object. */
export type Change =
  | { readonly action: 'write'; readonly object: ApiObject; readonly leaseSeconds?: number }
  | { readonly action: 'remove' }
  | { readonly action: 'keep' };

/**
 * Decides what becomes of the object that is there now, or of its absence. Pure but for what it awaits: it is called
 * again, with the newer object, whenever another write came first.
 */
export type ChangeFunction = (current: ObjectRecord | undefined) => MaybePromise<Change>;

export interface ChangeResult {
  /** What is stored now; after a removal the last state under the revision of the removal; undefined where nothing was and is. */
  readonly record: ObjectRecord | undefined;
  /** What was stored before. */
  readonly previous: ObjectRecord | undefined;
  /** `kept` also when the object written equals the one stored, byte for byte: nothing is written then. */
  readonly outcome: 'created' | 'updated' | 'removed' | 'kept';
}

/** One change of an object. */
export interface ObjectEvent {
  readonly type: 'created' | 'updated' | 'removed';
  /** The new state; of a removal the last state under the removal's revision. */
  readonly record: ObjectRecord;
  /** The state before, of updates. */
  readonly previous?: ObjectRecord;
}

/** Receives changes in the order of revisions. Calls must not throw. */
export interface ObjectObserver {
  events(batch: readonly ObjectEvent[]): void;
  /** The watch has ended. A StatusError 410 where its start is no longer held. Nothing comes after it. */
  error(error: Error): void;
  /** Everything up to this revision has been delivered; only over engines that report it, or caches. */
  progress?(revision: number): void;
}

/** Where a watch begins, and what of the prefix it is about. */
export interface ObjectWatchOptions {
  readonly afterRevision: number;
  /** Events of objects for which this neither holds nor held before may be left out. */
  readonly concerning?: RecordCondition;
}

/**
 * What the registry consumes: objects under keys `<prefix><namespace>/<name>` or `<prefix><name>`. Errors are
 * StatusErrors: 410 for compacted revisions, 504 for revisions in the future, 413 for values that the engine refuses for their size.
 */
export interface ObjectStore {
  get(key: string, options?: ReadOptions): MaybePromise<ObjectRecord | undefined>;
  list(prefix: string, options?: ListOptions): MaybePromise<ListResult>;
  /** Read, change, compare-and-swap, again until it holds. Errors of `change` come through as they are. */
  update(
    key: string,
    change: ChangeFunction,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ChangeResult>;
  /** Changes after `afterRevision`; one in the future waits for it. */
  watch(prefix: string, options: ObjectWatchOptions, observer: ObjectObserver): Watch;
  currentRevision(): MaybePromise<number>;
  /** What is held in memory; undefined over engines that keep nothing there. */
  holdings?(): StoreHoldings | undefined;
}
