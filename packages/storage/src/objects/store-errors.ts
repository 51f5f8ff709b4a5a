import { StatusError } from '@ashlar/core';
import {
  FutureRevisionError,
  RevisionCompactedError,
  StoreFaultError,
  ValueTooLargeError,
} from '../contracts/key-value-store.ts';
import { ValueTransformError } from '../contracts/value-transform-error.ts';

/** A value that is larger than a limit in bytes. */
export const tooLarge = (limit: number): StatusError =>
  StatusError.requestEntityTooLarge(`limit is ${limit}`);

/** Returns what a client is told of a failed read; other errors unchanged. */
export function readError(error: unknown): unknown {
  if (RevisionCompactedError.is(error)) {
    return StatusError.expired('The resourceVersion for the provided list is too old.');
  }
  if (!FutureRevisionError.is(error)) return error;
  return StatusError.tooLargeResourceVersion(error.requested, error.current, 0);
}

/** Seconds after which clients may retry after a storage fault. */
const RETRY_AFTER_SECONDS = 1;

/** Returns what a client is told of a failed write; other errors unchanged. */
export function writeError(error: unknown): unknown {
  if (ValueTransformError.is(error)) return StatusError.internalError(error);
  if (ValueTooLargeError.is(error)) return tooLarge(error.limit);
  if (!StoreFaultError.is(error)) return error;
  const message = error.summary;
  if (error.isLasting) return new StatusError({ code: 500, reason: 'InternalError', message }, error);
  const details = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new StatusError({ code: 503, reason: 'ServiceUnavailable', message, details }, error);
}

/**
 * Returns what a client is told of a failed watch; other errors unchanged.
 * @param start where the watch was to start, while nothing has been delivered (semantics/list-and-watch#watch)
 */
export function watchError(error: Error, start: number | undefined): Error {
  if (!RevisionCompactedError.is(error)) return error;
  return StatusError.expired(
    error.requested === start
      ? `too old resource version: ${start} (${error.oldest})`
      : 'The resourceVersion for the provided watch is too old.',
  );
}
