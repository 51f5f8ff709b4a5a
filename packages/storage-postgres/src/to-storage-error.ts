import { StatusError } from '@ashlar/core';
import { FutureRevisionError, RevisionCompactedError, StoreClosedError } from '@ashlar/storage';
import { PostgresStoreError } from './postgres-store-error.ts';

/** When callers may retry. */
const details = { retryAfterSeconds: 1 };

/** Classes of SQLSTATE after which a retry may succeed: connection, resources, intervention of an operator, a transaction that is rolled back. */
const PASSING = /^(08|53|57|40)/;
/** SQLSTATE of a write to a standby, or to a database that its operator made read-only. */
export const READ_ONLY = '25006';
/** SQLSTATE of a disk that is full. */
export const DISK_FULL = '53100';
/** SQLSTATEs of a table, function, column or schema that does not exist. */
const OTHER_TABLES: ReadonlySet<string> = new Set(['42P01', '42883', '42703', '3F000']);
/** SQLSTATE of a statement that took too long. */
const CANCELED = '57014';

/**
 * Converts an error of the driver: a StatusError 503 if the database is not available, or not writable, 504 if it does not respond in time, 500 for
 * anything else. Errors of the storage contract, and bugs, stay unchanged.
 */
export function toStorageError(error: unknown): Error {
  if (isOfContract(error)) return error;
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  if (code === CANCELED || LATE.test(message))
    return new StatusError(
      { code: 504, reason: 'Timeout', message: 'Timeout: the storage did not answer in time', details },
      error,
    );
  const unavailable = unavailability(code, message, error);
  if (unavailable !== undefined)
    return new StatusError({ code: 503, reason: 'ServiceUnavailable', message: unavailable, details }, error);
  return StatusError.internalError(error);
}

/** Why the storage is not available; undefined if it is. */
function unavailability(code: string, message: string, error: unknown): string | undefined {
  if (code === READ_ONLY) return `the storage is read-only: ${message}`;
  if (code === DISK_FULL) return `the storage cannot be written, its disk is full: ${message}`;
  if (OTHER_TABLES.has(code)) return `the storage does not have the tables of this version: ${message}`;
  return PASSING.test(code) || isOfConnection(error) ? `the storage is not available: ${message}` : undefined;
}

/** Texts of the driver, whose errors have no code. */
const LATE = /timeout/i;
const LOST = /^Connection terminated|^Client has encountered a connection error|^Client was closed/;

/** Whether the connection was lost, or none could be opened. */
export function isOfConnection(error: unknown): boolean {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  return /^E[A-Z]+$/.test(code) || /^(08|57P)/.test(code) || LOST.test(message);
}

const isOfContract = (error: unknown): error is Error =>
  StatusError.is(error) ||
  PostgresStoreError.is(error) ||
  RevisionCompactedError.is(error) ||
  FutureRevisionError.is(error) ||
  StoreClosedError.is(error) ||
  error instanceof TypeError ||
  error instanceof RangeError;
