import { nodeClock } from '@ashlar/http-node';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NO_POSTGRES, type PostgresProcess, startPostgres } from '../postgres-process.fixture.ts';
import { openPostgresTable, type PostgresTableOptions } from './open-postgres-table.ts';

let postgres: PostgresProcess;
let client: pg.Client;
beforeAll(async () => {
  if (NO_POSTGRES) return;
  postgres = await startPostgres();
  client = new pg.Client(postgres.url);
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await postgres?.[Symbol.asyncDispose]();
});
beforeEach((context) => context.skip(NO_POSTGRES !== undefined, NO_POSTGRES));

const open = (options: Omit<PostgresTableOptions, 'connectionString' | 'clock'>) =>
  openPostgresTable({ connectionString: postgres.url, clock: nodeClock, ...options });

test('a table with namespaces and numbers as names, in a schema of its own', async () => {
  await client.query(`CREATE SCHEMA shop; CREATE TABLE shop."Orders" (
    id int, tenant text, total numeric, placed timestamptz DEFAULT '2024-05-06T00:00:00Z', tags text[], secret text,
    twice numeric GENERATED ALWAYS AS (total * 2) STORED, PRIMARY KEY (tenant, id))`);
  await client.query(
    `INSERT INTO shop."Orders" (id, tenant, total, tags, secret) VALUES (1, 'a', 2.50, '{x,"y z"}', 's')`,
  );
  await using orders = await open({
    table: 'shop.Orders',
    name: 'id',
    namespace: 'tenant',
    columns: ['total', 'tags'],
  });
  expect(await orders.list()).toEqual([
    { name: '1', namespace: 'a', spec: { total: 2.5, tags: ['x', 'y z'] } },
  ]);
  await orders.write([
    { put: { name: '1', namespace: 'a', spec: { total: 3 }, metadata: { labels: { x: 'y' } } } },
    { put: { name: '2', namespace: 'b', spec: { total: 4, tags: [] } } },
  ]);
  const [one, two, none] = await Promise.all([
    orders.get('1', 'a'),
    orders.get('2', 'b'),
    orders.get('2', 'a'),
  ]);
  expect([one, two, none]).toEqual([
    { name: '1', namespace: 'a', spec: { total: 3 }, metadata: { labels: { x: 'y' } } },
    { name: '2', namespace: 'b', spec: { total: 4, tags: [] }, metadata: {} },
    undefined,
  ]);
  const { rows } = await client.query('SELECT secret, twice::text FROM shop."Orders" ORDER BY id');
  expect(rows).toEqual([
    { secret: 's', twice: '6' },
    { secret: null, twice: '8' },
  ]);
  await orders.remove('1', 'a');
  expect(await orders.get('1', 'a')).toBeUndefined();
  await expect(orders.put({ name: 'x', namespace: 'a', spec: {} })).rejects.toMatchObject({ code: 422 });
  await expect(
    orders.write([
      { put: { name: '5', namespace: 'a', spec: {} } },
      { put: { name: 'x', namespace: 'a', spec: {} } },
    ]),
  ).rejects.toThrow('invalid input syntax');
  expect(await orders.get('5', 'a')).toBeUndefined();
});

test('every changed row is reported once for each transaction, whatever else is open', async () => {
  await client.query('CREATE TABLE items (name text PRIMARY KEY, n int)');
  await using items = await open({ table: 'items', name: 'name' });
  const changed: (string | undefined)[] = [];
  const other = new pg.Client(postgres.url);
  await other.connect();
  await other.query("BEGIN; INSERT INTO items VALUES ('late', 1)");
  items.changes((name) => changed.push(name));
  await client.query("INSERT INTO items VALUES ('a', 1), ('b', 1); UPDATE items SET n = 2 WHERE name = 'a'");
  await expect.poll(() => [...changed].sort()).toEqual(['a', 'b']);
  await client.query("UPDATE items SET name = 'c' WHERE name = 'b'");
  await expect.poll(() => [...changed].sort()).toEqual(['a', 'b', 'b', 'c']);
  await other.query('COMMIT');
  await other.end();
  await expect.poll(() => changed.at(-1)).toBe('late');
  expect(changed).toHaveLength(5);
  await client.query('TRUNCATE items');
  await expect.poll(() => changed.length).toBe(6);
  expect(changed.at(-1)).toBeUndefined();
});

test('says what is wrong with the options', async () => {
  await client.query('CREATE TABLE parts (name text PRIMARY KEY)');
  await expect(open({ table: 'nothing', name: 'name' })).rejects.toThrow('there is no table nothing');
  await expect(open({ table: 'parts', name: 'id' })).rejects.toThrow('the table parts has no column "id"');
  await expect(open({ table: 'parts', name: 'name', columns: ['x'] })).rejects.toMatchObject({
    fault: 'foreign',
    message: 'the table parts has no column "x"',
  });
});
