import { StatusError } from '@ashlar/core';
import {
  FutureRevisionError,
  RevisionCompactedError,
  StoreClosedError,
  ValueTooLargeError,
} from '@ashlar/storage';
import { GrpcCode, GrpcError } from '../client/grpc-error.ts';
import { EtcdStoreError } from './etcd-store-error.ts';

/** When callers may retry. */
const RETRY_AFTER_SECONDS = 1;

/** Error text of etcd for a request that took too long: its result is unknown. */
const LATE = /^etcdserver: (request timed out|context deadline exceeded)/;

/**
 * Converts an error of etcd, or of the connection: a StatusError 503 if etcd is unavailable, 504 if it does
 * not respond in time, 500 for anything else it rejects. Errors of the storage contract, and bugs, stay
 * unchanged.
 */
export function toStorageError(error: unknown): Error {
  if (isOfContract(error)) return error;
  if (error instanceof GrpcError) return fromGrpc(error);
  if (error instanceof EtcdStoreError) return unavailable(error);
  return StatusError.internalError(error);
}

function isOfContract(error: unknown): error is Error {
  return (
    StatusError.is(error) ||
    RevisionCompactedError.is(error) ||
    FutureRevisionError.is(error) ||
    ValueTooLargeError.is(error) ||
    StoreClosedError.is(error) ||
    error instanceof TypeError ||
    error instanceof RangeError
  );
}

function fromGrpc(error: GrpcError): Error {
  if (error.code === GrpcCode.deadlineExceeded || LATE.test(error.message)) return timeoutError(error);
  if (error.code === GrpcCode.unavailable || error.code === GrpcCode.resourceExhausted)
    return unavailable(error);
  if (error.code === GrpcCode.cancelled) return unavailable(error);
  return StatusError.internalError(error);
}

function unavailable(cause: Error): StatusError {
  const message = `the storage is not available: ${cause.message}`;
  const details = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new StatusError({ code: 503, reason: 'ServiceUnavailable', message, details }, cause);
}

function timeoutError(cause: Error): StatusError {
  const message = 'Timeout: the storage did not answer in time';
  const details = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new StatusError({ code: 504, reason: 'Timeout', message, details }, cause);
}
