import type { Clock, MaybePromise } from '@ashlar/core';
import type { KeyValueStore, StoreUsage } from '@ashlar/storage';

/** Options of a watch cache. Times are in milliseconds. */
export interface WatchCacheOptions {
  /** Clock for the age of events and the timeouts, by its monotonic time. */
  readonly clock: Clock;
  /** The cached prefix: ends with `/`; by default empty, which caches everything. Other keys are read from the underlying store. */
  readonly prefix?: string;
  /** How long superseded states can be read, and watched from, in memory; default 75,000 (semantics/list-and-watch#watch). Older ones are read from the underlying store. */
  readonly historyMilliseconds?: number;
  /** Maximum number of events in the history; default 100,000. */
  readonly historyLimit?: number;
  /** Approximate maximum memory of the history in bytes; default 67,108,864. */
  readonly historyBytes?: number;
  /**
   * How long a read waits for the cache to catch up before it reads the underlying store; default 3,000
   * (semantics/list-and-watch#list), and 100 with an engine that does not report progress, decreasing while waiting has no success.
   */
  readonly patienceMilliseconds?: number;
  /**
   * Called with the error if the cache cannot follow the underlying store, and with undefined once it follows again. Meanwhile the cache
   * retries, reads go to the underlying store, and `check` fails.
   */
  readonly onFault?: (error: unknown) => void;
}

/** Statistics of a watch cache. */
export interface WatchCacheStatistics {
  /** False until the first state has been read, and while it must be read again. */
  readonly ready: boolean;
  /** The revision up to which all events have been received; 0 before the first state. */
  readonly revision: number;
  /** Reads served from memory. */
  readonly hits: number;
  /** Reads of the cached prefix that went to the underlying store. */
  readonly misses: number;
  /** Requests for the newest revision to the underlying store. */
  readonly questions: number;
  /** Number of entries. */
  readonly entries: number;
  /** Open watches served from memory. */
  readonly watchers: number;
  /** Events received from the underlying store since the start. */
  readonly events: number;
  /** Events in the history. */
  readonly history: number;
  /** How often the newest state has been read from the underlying store. */
  readonly loads: number;
}

/** A store with a cache. */
export interface WatchCache extends KeyValueStore {
  statistics(): WatchCacheStatistics;
  usage(): StoreUsage;
  /** Checks that the cache follows the underlying store and that store is writable. @throws the error otherwise */
  check(): MaybePromise<void>;
}
