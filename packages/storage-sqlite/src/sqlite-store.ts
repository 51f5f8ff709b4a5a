import type { HistoryOptions, KeyValueStore, MemoryStore } from '@ashlar/storage';
import type { SqliteStoreError } from './sqlite-store-error.ts';

/** Which file, and how much of the past it holds. */
export interface SqliteStoreOptions extends HistoryOptions {
  /** Path of the database file; made for its owner alone where it is missing, its directory is not made. */
  readonly file: string;
  /** The file is not to grow beyond; writes then fail with the fault `full`. Without it the disk decides. */
  readonly maxFileBytes?: number;
  /**
   * Told when the file cannot be written, or is not the one any more that a later start would find, and with undefined when writes
   * succeed again.
   */
  readonly onFault?: (fault: SqliteStoreError | undefined) => void;
}

/** The embedded durable engine. Reads answer at once, from memory; writes when they are on disk. */
export interface SqliteStore extends KeyValueStore {
  /** Resolves where the next write can be made; a store that has failed tries it. @throws SqliteStoreError if it cannot */
  check(): Promise<void>;
  /** A copy in memory: it begins with all that is durable, and dies with the process. */
  fork(): MemoryStore;
}
