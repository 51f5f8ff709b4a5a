import { type Clock, sleep } from '@ashlar/core';
import type { KeyValueStore } from '@ashlar/storage';
import { Database } from './database.ts';
import { openSchema } from './open-schema.ts';
import { PostgresEngine } from './postgres-engine.ts';
import { PostgresStoreError } from './postgres-store-error.ts';
import { toRevision } from './rows.ts';
import { createStatements } from './statements.ts';
import { isOfConnection, READ_ONLY } from './to-storage-error.ts';

/** Database and options of a store. Times are milliseconds. */
export interface PostgresStoreOptions {
  /** Such as `postgres://user:password@host:5432/database?sslmode=verify-full`. */
  readonly connectionString: string;
  /** Schema of the tables, which is created; beside those of the application. Default `ashlar`. */
  readonly schema?: string;
  /** Maximum number of connections, besides one for notifications; default 8. */
  readonly maximumConnections?: number;
  /** Clock of pauses and polls. Leases are timed by the database. */
  readonly clock: Clock;
  /** Timeout of a statement; default 10,000. */
  readonly requestMilliseconds?: number;
  /** Timeout of a connection attempt; default 3,000. */
  readonly connectMilliseconds?: number;
  /** Timeout of the first connection; default 10,000. */
  readonly openMilliseconds?: number;
}

const SCHEMA = /^[a-z_][a-z0-9_]{0,49}$/;
const RETRY_MILLISECONDS = 200;

/**
 * Opens a store in a PostgreSQL database (12 or later). Any number of stores, in any number of processes, may share a schema.
 *
 * A call that the database does not answer fails with a StatusError 503 or 504 with a retry time; such a write may have been made. Watches
 * survive lost connections and crashes of the database.
 *
 * @throws PostgresStoreError if the database cannot be used: unreachable, wrong password, foreign tables, tables of a newer version
 * @throws TypeError if the options are invalid
 * @example
 * const store = await createPostgresStore({ connectionString: 'postgres://localhost/shop', clock: nodeClock });
 * await store.put('/pods/default/a', bytes, { ifRevision: 0 });
 * await store[Symbol.asyncDispose]();
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<KeyValueStore> {
  const { connectionString, schema = 'ashlar', clock, openMilliseconds = 10_000 } = options;
  if (!/^postgres(ql)?:/.test(connectionString ?? '') || !URL.canParse(connectionString))
    throw new TypeError('the connection string is not a URL that begins with postgres://');
  if (!SCHEMA.test(schema))
    throw new TypeError(
      `the schema ${JSON.stringify(schema)} is not a name of lower case letters, digits and _`,
    );
  const database = new Database({
    connectionString,
    clock,
    maximumConnections: options.maximumConnections ?? 8,
    connectMilliseconds: options.connectMilliseconds ?? 3000,
    requestMilliseconds: options.requestMilliseconds ?? 10_000,
  });
  const statements = createStatements(`"${schema}"`, `${schema}_changes`);
  try {
    await connected(() => openSchema(database, schema), clock, openMilliseconds);
    const [row] = await database.read<[string, string]>(statements.revision);
    return new PostgresEngine({
      database,
      statements,
      clock,
      schema,
      revision: toRevision((row as [string, string])[0]),
    });
  } catch (error) {
    await database.close();
    throw toOpenError(error);
  }
}

/** Retries while the database cannot be reached. */
async function connected(open: () => Promise<void>, clock: Clock, milliseconds: number): Promise<void> {
  const end = clock.monotonic() + milliseconds;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      // a standby may be about to become the primary
      const mayPass = isOfConnection(error) || (error as { readonly code?: string }).code === READ_ONLY;
      if (!mayPass || clock.monotonic() >= end) throw error;
      await sleep(clock, RETRY_MILLISECONDS);
    }
  }
}

function toOpenError(error: unknown): unknown {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  if (PostgresStoreError.is(error)) return error;
  // invalid authorization, and privileges that are missing
  if (/^28|^42501$/.test(code))
    return new PostgresStoreError('credentials', `PostgreSQL refuses the user: ${message}`, error);
  if (code === READ_ONLY)
    return new PostgresStoreError('read-only', `PostgreSQL cannot be written: ${message}`, error);
  const reason = message || code || String(error);
  return new PostgresStoreError('unreachable', `PostgreSQL cannot be used: ${reason}`, error);
}
