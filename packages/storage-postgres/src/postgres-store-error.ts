import { CodedError } from '@ashlar/core';

/** Why a store cannot be opened. */
export type PostgresStoreFault =
  /** Nothing responds, or it has no such database. */
  | 'unreachable'
  /** The user or the password is wrong, or the user may not create the tables. */
  | 'credentials'
  /** The database is a standby, or its operator made it read-only, and the tables have to be made. */
  | 'read-only'
  /** The tables were made by a newer version of this package. */
  | 'newer-format'
  /** The schema has tables of these names that are not those of a store. */
  | 'foreign';

/** A database that cannot be used: one sentence for the operator of the server. */
export class PostgresStoreError extends CodedError {
  static override readonly code: string = 'ERR_POSTGRES_STORE';
  override readonly name: string = 'PostgresStoreError';
  readonly fault: PostgresStoreFault;

  constructor(fault: PostgresStoreFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}
