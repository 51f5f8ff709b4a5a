import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeClock } from '@ashlar/http-node';
import type { KeyValueStore } from '@ashlar/storage';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPostgresStore } from './create-postgres-store.ts';
import { NO_POSTGRES, type PostgresProcess, startPostgres } from './postgres-process.fixture.ts';
import { FORMAT } from './store-schema.ts';

let postgres: PostgresProcess;
beforeAll(async () => {
  if (!NO_POSTGRES) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());
beforeEach((context) => context.skip(NO_POSTGRES !== undefined, NO_POSTGRES));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const open = (schema: string, openMilliseconds = 0): Promise<KeyValueStore> =>
  createPostgresStore({ connectionString: postgres.url, schema, clock: nodeClock, openMilliseconds });

/** Runs statements as the operator of the database, each in a transaction of its own. */
async function operate(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Ends the connections of stores: settings of a database are those of new connections. */
const DISCONNECT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ashlar'";

/** What a call is refused with. */
const refusal = (message: RegExp): object => ({
  code: 503,
  message: expect.stringMatching(message),
  details: { retryAfterSeconds: 1 },
});

describe('a store whose database', { timeout: 60_000 }, () => {
  test('becomes a standby refuses reads and writes until it is the primary again', async () => {
    await using store = await open('standby');
    const { revision } = await store.put('/a', bytes('1'));
    const signal = join(postgres.directory, 'standby.signal');
    await postgres.stop();
    writeFileSync(signal, '');
    await postgres.start();
    // connections that were open are found to be lost first
    await expect
      .poll(() => failureOf(store.put('/a', bytes('2'))))
      .toMatch(/read-only: the database is a standby/);
    await expect(store.get('/a')).rejects.toMatchObject(refusal(/^the storage is read-only/));
    await expect(store.check?.()).rejects.toMatchObject(refusal(/^the storage is read-only/));
    await expect(open('standby')).rejects.toMatchObject({ fault: 'read-only' });
    const opening = open('standby', 30_000);
    await postgres.stop();
    rmSync(signal);
    await postgres.start();
    await using other = await opening;
    await expect.poll(() => failureOf(store.check?.())).toBe('');
    expect(await store.put('/a', bytes('2'), { ifRevision: revision })).toMatchObject({ ok: true });
    expect((await other.get('/a'))?.revision).toBe(revision + 1);
  });

  test('is made read-only by its operator refuses writes, and says so to health checks', async () => {
    await using store = await open('locked');
    await store.put('/a', bytes('1'));
    await operate('ALTER DATABASE postgres SET default_transaction_read_only = on', DISCONNECT);
    await expect.poll(() => failureOf(store.put('/a', bytes('2')))).toMatch(/^the storage is read-only/);
    await expect.poll(() => failureOf(store.check?.())).toMatch(/^the storage is read-only/);
    expect((await store.get('/a'))?.value).toEqual(bytes('1'));
    await operate(
      'SET default_transaction_read_only = off',
      'ALTER DATABASE postgres RESET default_transaction_read_only',
      DISCONNECT,
    );
    await expect.poll(() => failureOf(store.check?.())).toBe('');
    expect(await store.put('/a', bytes('2'))).toMatchObject({ ok: true });
  });

  test('has no room refuses writes, and health checks fail until there is room', async () => {
    await using store = await open('crowded');
    await store.put('/a', bytes('1'));
    await store.check?.();
    // as PostgreSQL reports a disk that is full
    await operate(`CREATE FUNCTION crowded.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON crowded.changes EXECUTE FUNCTION crowded.refuse()`);
    await store.check?.();
    await expect(store.put('/a', bytes('2'))).rejects.toMatchObject(
      refusal(/its disk is full: could not extend/),
    );
    await expect(store.check?.()).rejects.toMatchObject(refusal(/its disk is full/));
    await expect(store.check?.()).rejects.toMatchObject(refusal(/its disk is full/));
    expect((await store.get('/a'))?.value).toEqual(bytes('1'));
    await operate('DROP TRIGGER refuse ON crowded.changes');
    await store.check?.();
    expect(await store.put('/a', bytes('2'))).toMatchObject({ ok: true, revision: 3 });
    expect((await store.range('')).entries).toHaveLength(1);
  });

  test('is migrated by a newer version, or loses its tables, fails health checks', async () => {
    await using store = await open('newer');
    await operate(`UPDATE newer.format SET version = ${FORMAT + 1}`);
    await expect(store.check?.()).rejects.toThrow(
      `the tables of the schema newer have format ${FORMAT + 1}; this version reads formats up to ${FORMAT}`,
    );
    await operate('DROP SCHEMA newer CASCADE');
    await expect(store.check?.()).rejects.toMatchObject(refusal(/does not have the tables of this version/));
    await expect(store.put('/a', bytes('1'))).rejects.toMatchObject(refusal(/does not have the tables/));
  });
});

/** The message of a failure, or nothing. */
async function failureOf(call: unknown): Promise<string> {
  try {
    await call;
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
