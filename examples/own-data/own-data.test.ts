import { kubernetesVocabulary } from '@ashlar/core';
import { type ApiServer, createApiServer } from '@ashlar/server';
import { beforeEach, describe, expect, test } from 'vitest';
import { startExample } from '../start-example.ts';
import { type Book, defineBooks } from './books.ts';

const GROUP = '/apis/library.example.com/v1';

let shelf: Book[];
let server: ApiServer;
beforeEach(async () => {
  shelf = [
    { isbn: '1-1', title: 'One', pages: 10 },
    { isbn: '2-2', title: 'Two', pages: 20 },
  ];
  server = createApiServer({ vocabulary: kubernetesVocabulary, resources: [defineBooks(shelf)] });
  await server.ready;
});

/** Any verb at any path, without a socket. */
async function call(method: string, path: string, body?: object): Promise<{ status: number; json: unknown }> {
  const answer = await server.fetch(
    new Request(`http://server${GROUP}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }),
  );
  return { status: answer.status, json: await answer.json() };
}

const book = (name: string, spec: object): object => ({
  apiVersion: 'library.example.com/v1',
  kind: 'Book',
  metadata: { name },
  spec,
});

describe('reads', () => {
  test('return one book', async () => {
    expect(await call('GET', '/books/1-1')).toMatchObject({
      status: 200,
      json: { kind: 'Book', spec: { title: 'One', pages: 10 } },
    });
  });

  test('return 404 for a missing book', async () => {
    expect(await call('GET', '/books/3-3')).toMatchObject({
      status: 404,
      json: { message: 'books.library.example.com "3-3" not found' },
    });
  });

  test('return all current books', async () => {
    shelf.push({ isbn: '3-3', title: 'Three', pages: 30 });
    expect(await call('GET', '/books')).toMatchObject({
      json: { kind: 'BookList', items: [{}, {}, { spec: { title: 'Three' } }] },
    });
  });

  test('return selected books', async () => {
    const names = async (query: string): Promise<unknown> =>
      ((await call('GET', `/books?${query}`)).json as { items: { metadata: { name: string } }[] }).items.map(
        ({ metadata }) => metadata.name,
      );
    expect(await names('fieldSelector=metadata.name%3D2-2')).toEqual(['2-2']);
    expect(await names('fieldSelector=metadata.name!%3D2-2')).toEqual(['1-1']);
    expect(await names('labelSelector=a')).toEqual([]);
  });
});

describe('create', () => {
  test('adds a book, with its defaults', async () => {
    expect(await call('POST', '/books', book('3-3', { title: 'Three' }))).toMatchObject({ status: 201 });
    expect(shelf[2]).toEqual({ isbn: '3-3', title: 'Three', pages: 1 });
  });

  test('adds nothing in a dry run', async () => {
    const answer = await call('POST', '/books?dryRun=All', book('3-3', { title: 'Three' }));
    expect(answer).toMatchObject({ status: 201, json: { spec: { pages: 1 } } });
    expect(shelf).toHaveLength(2);
  });

  test('rejects invalid, misnamed and existing books', async () => {
    expect((await call('POST', '/books', book('3-3', { title: '' }))).status).toBe(422);
    expect((await call('POST', '/books', book('three', { title: 'Three' }))).status).toBe(400);
    expect((await call('POST', '/books', book('1-1', { title: 'One' }))).status).toBe(409);
    expect(shelf).toHaveLength(2);
  });
});

describe('verbs are those of the storage', () => {
  test('discovery lists them', async () => {
    expect((await call('GET', '')).json).toMatchObject({
      resources: [{ name: 'books', verbs: expect.arrayContaining(['create', 'get', 'list']) }],
    });
    const { resources } = (await call('GET', '')).json as { resources: { verbs: string[] }[] };
    expect(resources[0]?.verbs).toHaveLength(3);
  });

  test.each([
    ['DELETE', '/books/1-1', 'delete'],
    ['DELETE', '/books', 'deletecollection'],
    ['PUT', '/books/1-1', 'update'],
    ['GET', '/books?watch=true', 'watch'],
  ])('%s %s returns 405', async (method, path, verb) => {
    const body = method === 'PUT' ? book('1-1', { title: 'New' }) : undefined;
    expect(await call(method, path, body)).toMatchObject({
      status: 405,
      json: { message: `${verb} is not supported on resources of kind "books.library.example.com"` },
    });
  });
});

test('the example runs', async () => {
  await using example = await startExample(new URL('./main.ts', import.meta.url));
  const answer = await fetch(`${example.url}${GROUP}/books`);
  expect(await answer.json()).toMatchObject({ items: [{ spec: { pages: 657 } }, { spec: { pages: 672 } }] });
}, 30_000);
