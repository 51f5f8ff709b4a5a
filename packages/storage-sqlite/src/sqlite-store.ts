import type { HistoryOptions, KeyValueStore, MemoryStore } from '@ashlar/storage';
import type { FileUpgrade } from './protocol.ts';
import type { SqliteStoreError } from './sqlite-store-error.ts';
import type { SqliteThread } from './sqlite-thread.ts';

/** The file, and how much history is retained. */
export interface SqliteStoreOptions extends HistoryOptions {
  /** Path of the database file; created for its owner only if it is missing, its directory is not created. */
  readonly file: string;
  /** Maximum size of the file; writes beyond it fail with the fault `full`. Unlimited by default. */
  readonly maxFileBytes?: number;
  /**
   * Called when the file cannot be written, or is not the one that a later start would find, and with
   * undefined when writes succeed again.
   */
  readonly onFault?: (fault: SqliteStoreError | undefined) => void;
  /** Called when an older format was upgraded: what the file contained before is in a copy beside it, `FILE.format-N`. */
  readonly onUpgrade?: (upgrade: FileUpgrade) => void;
  /** A thread that was started ahead; by default one is started. */
  readonly thread?: SqliteThread;
}

/** The embedded durable engine. Reads return immediately, from memory; writes when they are on disk. */
export interface SqliteStore extends KeyValueStore {
  /**
   * Resolves if the next write can be made; after a failure it is tried. @throws SqliteStoreError if it
   * cannot
   */
  check(): Promise<void>;
  /** Forks into memory: the copy starts with everything durable, and is not stored. */
  fork(): MemoryStore;
}
