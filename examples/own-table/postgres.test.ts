import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  NO_POSTGRES,
  type PostgresProcess,
  startPostgres,
} from '../../packages/storage-postgres/src/postgres-process.fixture.ts';
import { type RunningExample, startExample } from '../start-example.ts';

const ROWS = 100_000;
const TYPE = { apiVersion: 'library.example.com/v1', kind: 'Book' };
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

let postgres: PostgresProcess;
let client: pg.Client;
let example: RunningExample;
let books: string;

const connect = async (): Promise<pg.Client> => {
  const made = new pg.Client(postgres.url);
  made.on('error', () => {});
  await made.connect();
  return made;
};

beforeAll(async () => {
  if (NO_POSTGRES) return;
  postgres = await startPostgres();
  client = await connect();
  await client.query(`CREATE TABLE books (isbn text PRIMARY KEY, title text NOT NULL, pages int CHECK (pages < 100000));
    INSERT INTO books SELECT 'book-' || n, 'Title ' || n, n % 1000 + 1 FROM generate_series(1, ${ROWS}) n`);
  process.env.DATABASE = postgres.url;
  example = await startExample(new URL('postgres.ts', import.meta.url));
  books = `${example.url}/apis/library.example.com/v1/books`;
}, 120_000);
afterAll(async () => {
  await client?.end();
  await example?.[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
});
beforeEach((context) => context.skip(NO_POSTGRES !== undefined, NO_POSTGRES));

interface Book {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: object;
  };
  readonly spec: { readonly title: string; readonly pages?: number };
}

async function send<T = Book>(method: string, path: string, body?: object): Promise<T & { code?: number }> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const init = { method, headers: { 'content-type': type }, ...(body && { body: JSON.stringify(body) }) };
  return (await (await fetch(books + path, init)).json()) as T & { code?: number };
}

const titleOf = async (name: string): Promise<string | undefined> =>
  (await send<Partial<Book>>('GET', `/${name}`)).spec?.title;

describe('a table in PostgreSQL', { timeout: 120_000 }, () => {
  test('is served with all its rows, and written by every verb', async () => {
    const { items, metadata } = await send<{ items: Book[]; metadata: { remainingItemCount: number } }>(
      'GET',
      '?limit=2',
    );
    expect([items.length, metadata.remainingItemCount]).toEqual([2, ROWS - 2]);
    await send('POST', '', { ...TYPE, metadata: { name: 'new' }, spec: { title: 'New' } });
    await send('PATCH', '/new', { metadata: { labels: { shelf: 'a' } }, spec: { pages: 7 } });
    const { rows } = await client.query("SELECT title, pages FROM books WHERE isbn = 'new'");
    expect(rows).toEqual([{ title: 'New', pages: 7 }]);
    expect((await send('GET', '/new')).metadata.labels).toEqual({ shelf: 'a' });
    expect(await send('PATCH', '/new', { spec: { pages: 100_000 } })).toMatchObject({
      code: 422,
      message: expect.stringContaining('violates check constraint'),
    });
    await send('DELETE', '/new');
    expect((await client.query("SELECT FROM books WHERE isbn = 'new'")).rowCount).toBe(0);
    const { rowCount } = await client.query("SELECT FROM ashlar.row_metadata WHERE name = 'new'");
    expect(rowCount).toBe(0);
  });

  test('tells what others write, when their transaction commits', async () => {
    const before = await send('GET', '/book-7');
    await using open = Object.assign(await connect(), {
      async [Symbol.asyncDispose]() {
        await open.end();
      },
    });
    await open.query('BEGIN');
    await open.query("UPDATE books SET title = 'Late' WHERE isbn = 'book-7'");
    await client.query("UPDATE books SET title = 'Early' WHERE isbn = 'book-8'");
    await expect.poll(() => titleOf('book-8')).toBe('Early');
    expect(await titleOf('book-7')).toBe('Title 7');
    await open.query('COMMIT');
    await expect.poll(() => titleOf('book-7')).toBe('Late');
    const after = await send('GET', '/book-7');
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
    await client.query("UPDATE books SET isbn = 'moved' WHERE isbn = 'book-8'");
    await expect.poll(() => titleOf('moved')).toBe('Early');
    expect(await titleOf('book-8')).toBeUndefined();
    // many at once
    await client.query("UPDATE books SET title = 'All' WHERE isbn LIKE 'book-9%'");
    await expect.poll(() => titleOf('book-99999'), { timeout: 20_000 }).toBe('All');
  });

  test.skipIf(!hasKubectl)('kubectl get --watch follows it', async () => {
    // kubectl limits its own requests: pages of 500 would take it 40 seconds
    const words = ['--server', example.url, 'get', 'books', '--watch-only', '--chunk-size=0', '--no-headers'];
    const kubectl = spawn('kubectl', words, { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    kubectl.stdout.on('data', (bytes: Uint8Array) => {
      printed += Buffer.from(bytes).toString();
    });
    // it prints nothing before something happens
    await expect
      .poll(
        async () => {
          await client.query("UPDATE books SET pages = pages + 1 WHERE isbn = 'book-1'");
          return printed;
        },
        // it lists first
        { interval: 500, timeout: 90_000 },
      )
      .toMatch(/^book-1 +Title 1 +\d+\n/);
    await client.query("INSERT INTO books VALUES ('watched', 'Watched', 3)");
    await expect.poll(() => printed).toMatch(/^watched +Watched +3$/m);
    kubectl.kill();
    await once(kubectl, 'exit');
  });

  test('is followed after a crash of the database, and after it is truncated', async () => {
    await client.end();
    await postgres.stop();
    await postgres.start();
    client = await connect();
    await client.query("UPDATE books SET title = 'After the crash' WHERE isbn = 'book-2'");
    await expect.poll(() => titleOf('book-2'), { timeout: 10_000 }).toBe('After the crash');
    await client.query("TRUNCATE books; INSERT INTO books VALUES ('only', 'Only', 1)");
    await expect
      .poll(
        async () =>
          (await send<{ items: Book[] }>('GET', '?limit=3')).items.map(({ metadata }) => metadata.name),
        {
          timeout: 30_000,
        },
      )
      .toEqual(['only']);
  });
});
