import { CodedError } from '@ashlar/core';

/** A file that is no snapshot of etcd, or a damaged one. */
export class SnapshotError extends CodedError {
  static override readonly code: string = 'ERR_SNAPSHOT';
  override readonly name: string = 'SnapshotError';
}
