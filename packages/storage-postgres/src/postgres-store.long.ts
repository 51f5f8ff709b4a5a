import { setTimeout as sleep } from 'node:timers/promises';
import { nodeClock } from '@ashlar/http-node';
import { createObjectStore, type KeyValueStore } from '@ashlar/storage';
import { testKeyValueStore, testObjectStore } from '@ashlar/storage/testing';
import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest';
import { createPostgresStore } from './create-postgres-store.ts';
import { NO_POSTGRES, type PostgresProcess, startPostgres } from './postgres-process.fixture.ts';

let postgres: PostgresProcess;
beforeAll(async () => {
  if (!NO_POSTGRES) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

/** Tests of the suites that require more than the contract, or than this engine declares. */
const SKIPPED: Readonly<Record<string, string>> = {
  'gives one record to all who look at one value':
    'entries are made anew with every read (sharesEntries: false)',
};

const withPostgres = (name: string, run: () => Promise<void>): void =>
  test(name, { timeout: 30_000 }, async (context: TestContext) => {
    context.skip(NO_POSTGRES !== undefined, NO_POSTGRES);
    context.skip(name in SKIPPED, SKIPPED[name]);
    await run();
  });

const open = (id: string): Promise<KeyValueStore> =>
  createPostgresStore({
    clock: nodeClock,
    connectionString: postgres.url,
    schema: id.replaceAll('-', '_'),
    maximumConnections: 4,
  });

testKeyValueStore('PostgreSQL store', ({ id }) => open(id), {
  describe,
  test: withPostgres,
  sharesEntries: false,
  passTime: async (milliseconds, clock) => {
    clock.advance(milliseconds);
    await sleep(milliseconds);
  },
  runs: 5,
});

testObjectStore(
  'object store over PostgreSQL',
  async ({ id, codec, clock }) => {
    const engine = await open(`objects-${id}`);
    return {
      store: createObjectStore(engine, { codec, clock }),
      compact: async (revision) => engine.compact(revision),
      dispose: async () => engine[Symbol.asyncDispose](),
    };
  },
  { describe, test: withPostgres },
);
