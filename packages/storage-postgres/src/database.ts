import type { Clock } from '@ashlar/core';
import pg from 'pg';
import { isOfConnection, READ_ONLY } from './to-storage-error.ts';

/** How to reach the database. Times are milliseconds. */
export interface DatabaseOptions {
  readonly connectionString: string;
  readonly maximumConnections: number;
  readonly connectMilliseconds: number;
  readonly requestMilliseconds: number;
  readonly clock: Clock;
}

/** Connections to one database. */
export class Database {
  readonly #options: DatabaseOptions;
  readonly #pool: pg.Pool;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#pool = new pg.Pool({
      ...connectionOf(options),
      max: options.maximumConnections,
      verify: (client, done) => {
        // whoever uses a connection that breaks learns it from the call
        client.on('error', () => {});
        requirePrimary(client).then(() => done(), done);
      },
    });
    // a connection that breaks while it is idle is replaced by the pool
    this.#pool.on('error', () => {});
  }

  /** Runs a statement that is prepared once for each connection. Rows are lists of columns. */
  async run<R extends readonly unknown[]>(text: string, values: unknown[] = []): Promise<readonly R[]> {
    const { rows } = await this.#pool.query({ name: nameOf(text), text, values, rowMode: 'array' });
    return rows as unknown as readonly R[];
  }

  /** As `run`, of a statement that only reads: on another connection, if that was lost. */
  async read<R extends readonly unknown[]>(text: string, values: unknown[] = []): Promise<readonly R[]> {
    try {
      return await this.run(text, values);
    } catch (error) {
      if (!isOfConnection(error)) throw error;
      return this.run(text, values);
    }
  }

  /** Runs statements in one transaction on one connection. */
  async transaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query('BEGIN');
      await work(client);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  }

  /** Runs a statement without keeping what it does. @throws errors of the database */
  async tryOut(text: string): Promise<void> {
    const client = await this.#pool.connect();
    let failure: Error | undefined;
    try {
      await client.query('BEGIN');
      await client.query(text);
      await client.query('ROLLBACK');
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      // a connection whose transaction has failed is not used again
      client.release(failure);
    }
  }

  /**
   * Listens on a channel with a connection of its own.
   * @param notified called with the payload of each notification
   * @param ended called once when the connection is lost
   */
  async listen(
    channel: string,
    notified: (payload: string | undefined) => void,
    ended: () => void,
  ): Promise<Disposable> {
    const client = new pg.Client({ ...connectionOf(this.#options), statement_timeout: 0, query_timeout: 0 });
    let isOpen = true;
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      void client.end().catch(() => {});
    };
    const disconnected = (): void => {
      if (!isOpen) return;
      close();
      ended();
    };
    client
      .on('error', disconnected)
      .on('end', disconnected)
      .on('notification', ({ payload }) => notified(payload));
    try {
      await client.connect();
      await client.query(`LISTEN "${channel}"`);
    } catch (error) {
      close();
      throw error;
    }
    return { [Symbol.dispose]: close };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** A standby would answer reads with what was there some time ago. @throws Error with the code of a write to a standby */
async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('SELECT pg_is_in_recovery() AS is_standby');
  const [{ is_standby: isStandby }] = rows as [{ is_standby: boolean }];
  if (isStandby) throw Object.assign(new Error('the database is a standby'), { code: READ_ONLY });
}

function connectionOf({
  connectionString,
  connectMilliseconds,
  requestMilliseconds,
}: DatabaseOptions): pg.ClientConfig {
  return {
    connectionString,
    connectionTimeoutMillis: connectMilliseconds,
    query_timeout: requestMilliseconds,
    statement_timeout: requestMilliseconds,
    keepAlive: true,
    application_name: 'ashlar',
  };
}

const names = new Map<string, string>();

/** Returns the name under which a statement is prepared. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `ashlar_${names.size}`;
    names.set(text, name);
  }
  return name;
}
