import type { KeyValueStore } from '@ashlar/storage';

/** Database status of a member of the cluster. */
export interface EtcdStatistics {
  /** Of the server. */
  readonly version: string;
  /** Size of its database on disk in bytes. */
  readonly databaseBytes: number;
  /** Bytes of it that are in use. */
  readonly databaseBytesInUse: number;
  /** The newest revision that the member has applied. */
  readonly revision: number;
}

/** An engine over etcd. In addition to the contract it requests progress and reports the size of the database. */
export interface EtcdStore extends KeyValueStore {
  /**
   * Requests a progress notification for every watch, or those of that exact prefix. Has no effect if
   * `supports.progress` is false.
   */
  requestProgress(prefix?: string): void;
  /** Resolves if the cluster has a leader and no alarm. @throws StatusError otherwise */
  check(): Promise<void>;
  /** @throws StatusError as every read */
  statistics(): Promise<EtcdStatistics>;
}
