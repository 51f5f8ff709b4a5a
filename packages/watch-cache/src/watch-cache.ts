import type { Clock } from '@ashlar/core';
import type { KeyValueStore, MaybePromise, StoreHoldings } from '@ashlar/storage';

/** What is kept, and for how long. Times are milliseconds. */
export interface WatchCacheOptions {
  /** Ages the history and bounds the waits, by its monotonic time. */
  readonly clock: Clock;
  /** What is kept: ends with `/`, or is empty and means everything, as it does unless told. The rest goes to the store below. */
  readonly prefix?: string;
  /** How long a superseded state can be read, and watched from, in memory; 75,000 unless told (semantics/list-and-watch#watch). Older ones are asked of the store below. */
  readonly historyMilliseconds?: number;
  /** How many events of the past are kept at most; 100,000 unless told. */
  readonly historyLimit?: number;
  /** About how many bytes of memory the past takes at most; 67,108,864 unless told. */
  readonly historyBytes?: number;
  /**
   * How long a read waits for the cache to have seen what the store below has, before it goes there itself; 3,000 unless told
   * (semantics/list-and-watch#list), and 100 over an engine that tells no progress, less and less where waiting is in vain.
   */
  readonly patienceMilliseconds?: number;
  /**
   * Told why the cache does not follow the store below, which it goes on trying, and with undefined once it follows again. Meanwhile
   * reads go to the store below, and `check` fails.
   */
  readonly onFault?: (error: unknown) => void;
}

/** What the cache holds and has done. */
export interface WatchCacheStatistics {
  /** False until the newest state has been read for the first time, and while it must be read anew. */
  readonly ready: boolean;
  /** The revision up to which everything has been seen; 0 before the first state. */
  readonly revision: number;
  /** Reads answered from memory. */
  readonly hits: number;
  /** Reads of the kept prefix that went to the store below. */
  readonly misses: number;
  /** Questions for the newest revision that were put to the store below. */
  readonly questions: number;
  /** Entries held. */
  readonly entries: number;
  /** Open watches that are served from memory. */
  readonly watchers: number;
  /** Events heard from the store below since the beginning. */
  readonly events: number;
  /** Events of the past that are held. */
  readonly history: number;
  /** How often the newest state has been read from the store below. */
  readonly loads: number;
}

/** A store that is read from memory. */
export interface WatchCache extends KeyValueStore {
  statistics(): WatchCacheStatistics;
  holdings(): StoreHoldings;
  /** @throws what keeps the cache from following the store below, or that store from being written */
  check(): MaybePromise<void>;
}
