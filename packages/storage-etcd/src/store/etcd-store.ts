import type { KeyValueStore } from '@ashlar/storage';

/** What a member of the cluster says of its database. */
export interface EtcdStatistics {
  /** Of the server. */
  readonly version: string;
  /** Bytes of its database on disk. */
  readonly databaseBytes: number;
  /** Bytes of them that are in use. */
  readonly databaseBytesInUse: number;
  /** The newest revision that the member has applied. */
  readonly revision: number;
}

/** An engine over etcd. Beside the contract it asks for progress and tells how large the database is. */
export interface EtcdStore extends KeyValueStore {
  /**
   * Asks for a notice of progress to every watch, or those of that very prefix. Nothing comes of it where
   * `supports.progress` is false.
   */
  requestProgress(prefix?: string): void;
  /** Resolves where the cluster has a leader and no alarm is raised. @throws StatusError if it has not */
  check(): Promise<void>;
  /** @throws StatusError as every read */
  statistics(): Promise<EtcdStatistics>;
}
