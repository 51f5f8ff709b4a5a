/** The first message to the writer's thread: the file that it opens. */
export interface WorkerOptions {
  readonly file: string;
  readonly maxFileBytes: number | undefined;
}

/** A file that was brought to the newest format. */
export interface FileUpgrade {
  readonly from: number;
  readonly to: number;
  /** Path of a copy of the file as it was before. */
  readonly copy: string;
}

/** Changes packed for the transfer between threads: see change-batch.ts. */
export interface PackedChanges {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * One row of the table `changes`. `replaces` is the revision of the row that it supersedes, 0 if the key was
 * absent; `time` and the `deadline` of its lease are milliseconds since 1970.
 */
export type Row = readonly [
  revision: number,
  key: Uint8Array,
  value: Uint8Array | null,
  replaces: number,
  time: number,
  deadline: number | null,
];

/** An error of the writer's thread. */
export interface WorkerFailure {
  /** SQLite's code, such as `SQLITE_FULL`, or one of the worker's own. */
  readonly code: string;
  readonly message: string;
}

/** Messages to the writer's thread. */
export type ToWorker =
  /**
   * To be made durable in one transaction; the next is sent when the result of this one is known. The log may be
   * trimmed up to `trimTo` together with it.
   */
  | ({ readonly kind: 'write'; readonly trimTo: number } & PackedChanges)
  | { readonly kind: 'compact'; readonly revision: number }
  /** Checks that the file still exists and can be written; recovers from a failure first. */
  | { readonly kind: 'check' }
  | { readonly kind: 'close' };

/** Messages from the writer's thread. */
export type FromWorker =
  | ({ readonly kind: 'refused' } & WorkerFailure)
  | ({ readonly kind: 'rows' } & PackedChanges)
  /** The file had an older format; its content before is in a copy. */
  | ({ readonly kind: 'upgraded' } & FileUpgrade)
  | { readonly kind: 'loaded'; readonly trimmed: number }
  /** What was sent last is durable. */
  | { readonly kind: 'committed' }
  /** Nothing of what was sent last is durable. */
  | ({ readonly kind: 'failed' } & WorkerFailure)
  | { readonly kind: 'compacted' }
  | ({ readonly kind: 'not-compacted' } & WorkerFailure)
  | { readonly kind: 'sound' }
  | ({ readonly kind: 'unsound' } & WorkerFailure)
  /** A problem has been repaired; nothing is lost. */
  | ({ readonly kind: 'restored' } & WorkerFailure);
