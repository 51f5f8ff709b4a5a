import { nodeClock } from '@ashlar/http-node';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createPostgresStore } from './create-postgres-store.ts';
import { NO_POSTGRES, startPostgres } from './postgres-process.fixture.ts';
import { FORMAT, MIGRATIONS } from './store-schema.ts';

const text = (value: Uint8Array | undefined): string => new TextDecoder().decode(value);

test('tables of each earlier format are migrated, with what they hold', {
  timeout: 60_000,
}, async (context) => {
  context.skip(NO_POSTGRES !== undefined, NO_POSTGRES);
  await using postgres = await startPostgres();
  const client = new pg.Client(postgres.url);
  await client.connect();
  for (let format = 1; format < FORMAT; format++) {
    const schema = `format_${format}`;
    await client.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.format (version int NOT NULL)`);
    for (const migrate of MIGRATIONS.slice(0, format)) await client.query(migrate(schema));
    await client.query(`INSERT INTO ${schema}.format VALUES (${format});
      INSERT INTO ${schema}.changes (revision, key, value) VALUES (2, '/a', 'one');
      UPDATE ${schema}.state SET revision = 2`);
    await using store = await createPostgresStore({
      connectionString: postgres.url,
      schema,
      clock: nodeClock,
    });
    const result = await store.put('/a', new TextEncoder().encode('two'), { ifRevision: 2 });
    expect([result.ok, result.revision, result.ok && text(result.previous?.value)]).toEqual([true, 3, 'one']);
    expect(text((await store.range('/', { atRevision: 2 })).entries[0]?.value)).toBe('one');
    const { rows } = await client.query(`SELECT version FROM ${schema}.format`);
    expect(rows).toEqual([{ version: FORMAT }]);
  }
  await client.end();
});
