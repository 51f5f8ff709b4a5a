import { type ApiServer, createApiServer } from '@ashlar/server';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startExample } from '../start-example.ts';
import { defineBooks } from './books.ts';

let database: Database.Database;
let server: ApiServer;
let tell: (isbn: string) => void;

async function start() {
  const definition = await defineBooks(database, (changed) => {
    tell = changed;
  });
  server = createApiServer({ resources: [definition] });
  await server.ready;
  return server.client.resource(definition);
}

beforeEach(() => {
  database = new Database(':memory:');
  database.exec('CREATE TABLE books (isbn TEXT PRIMARY KEY, title TEXT, pages INTEGER, meta TEXT)');
  const insert = database.prepare('INSERT INTO books VALUES (?, ?, ?, NULL)');
  for (let i = 0; i < 10_000; i++) insert.run(`book-${i}`, `Title ${i}`, i + 1);
});
afterEach(() => server.close());

const row = (isbn: string): unknown =>
  database.prepare('SELECT title, pages FROM books WHERE isbn = ?').get(isbn);

test('ten thousand rows are listed in pages, and selected', async () => {
  const books = await start();
  const page = await books.list({ limit: 3 });
  expect([page.items.length, page.metadata.remainingItemCount]).toEqual([3, 9997]);
  const rest = await books.list({ limit: 10_000, continue: page.metadata.continue ?? '' });
  expect(rest.items).toHaveLength(9997);
  expect((await books.list({ fieldSelector: 'metadata.name=book-77' })).items[0]?.spec.pages).toBe(78);
});

test('every verb writes to the table', async () => {
  const books = await start();
  const made = await books.create({ metadata: { generateName: 'new-' }, spec: { title: 'New' } });
  const name = made.metadata.name ?? '';
  expect(row(name)).toMatchObject({ title: 'New', pages: 1 });
  const grown = await books.update({ ...made, spec: { ...made.spec, pages: 5 } });
  expect([grown.metadata.generation, row(name)]).toMatchObject([2, { pages: 5 }]);
  await expect(books.update({ ...made, spec: { ...made.spec, pages: 6 } })).rejects.toThrow(
    'the object has been modified',
  );
  await books.patch(name, { type: 'merge', patch: { spec: { pages: 7 } } });
  expect(row(name)).toMatchObject({ pages: 7 });
  await books.apply({ metadata: { name }, spec: { title: 'Mine' } }, { fieldManager: 'anna', force: true });
  await expect(
    books.apply({ metadata: { name }, spec: { title: 'Yours' } }, { fieldManager: 'ben' }),
  ).rejects.toThrow('conflict');
  await books.create({ metadata: { name: 'dry' }, spec: { title: 'Dry' } }, { dryRun: ['All'] });
  expect(row('dry')).toBeUndefined();
  await books.delete(name);
  expect(row(name)).toBeUndefined();
});

test('what is kept beside the rows is there after a restart, in later versions', async () => {
  const books = await start();
  const before = await books.patch('book-1', {
    type: 'merge',
    patch: { metadata: { labels: { shelf: 'a' } } },
  });
  await server.close();
  const again = await start();
  const { metadata } = await again.get('book-1');
  expect([metadata.uid, metadata.labels]).toEqual([before.metadata.uid, { shelf: 'a' }]);
  expect((await again.list({ labelSelector: 'shelf=a' })).items).toHaveLength(1);
  expect(Number(metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(before.metadata.resourceVersion));
});

test('watches tell what others write to the table', async () => {
  const books = await start();
  const { metadata } = await books.list({ limit: 1 });
  const seen: string[] = [];
  const watching = (async () => {
    for await (const { type, object } of books.watch({ resourceVersion: metadata.resourceVersion ?? '' })) {
      seen.push(`${type} ${object.metadata.name} ${object.spec.title}`);
      if (seen.length === 3) return;
    }
  })();
  database.exec("INSERT INTO books VALUES ('other', 'Other', 1, NULL)");
  tell('other');
  database.exec("UPDATE books SET title = 'Changed' WHERE isbn = 'book-2'");
  tell('book-2');
  tell('book-3');
  await vi.waitFor(() => expect(seen).toHaveLength(2), { timeout: 60_000 });
  database.exec("DELETE FROM books WHERE isbn = 'book-2'");
  tell('book-2');
  await watching;
  expect(seen).toEqual(['ADDED other Other', 'MODIFIED book-2 Changed', 'DELETED book-2 Changed']);
});

test('a collection is deleted', async () => {
  const books = await start();
  await books.deleteCollection({ fieldSelector: 'metadata.name!=book-77' });
  expect(database.prepare('SELECT isbn FROM books').all()).toEqual([{ isbn: 'book-77' }]);
});

test('a table that fails changes nothing', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  const books = await start();
  database.exec('DROP TABLE books');
  await expect(books.patch('book-1', { type: 'merge', patch: { spec: { pages: 99 } } })).rejects.toThrow(
    'Internal error occurred',
  );
  expect((await books.get('book-1')).spec.pages).toBe(2);
  expect(String(print.mock.calls[0]?.[1])).toContain('no such table');
  print.mockRestore();
});

test('a server over a table is not forked', async () => {
  await start();
  expect(() => server.fork()).toThrow('a server with a table of its host cannot be forked');
});

test('the example starts', async () => {
  await using example = await startExample(new URL('./main.ts', import.meta.url));
  const response = await fetch(`${example.url}/apis/library.example.com/v1/books`);
  expect(((await response.json()) as { items: unknown[] }).items).toHaveLength(1);
});
