import type { ConfigMap } from '@ashlar/apis';
import type { ResourceClient } from '@ashlar/client';
import { type ApiObject, StatusError } from '@ashlar/core';
import { createTestServer, type TestServer, type TestServerOptions } from '@ashlar/testing';
import { expect, test } from 'vitest';
import { startExample } from '../start-example.ts';
import { createPageController } from './page-controller.ts';
import { isRendered, type Page, pages } from './pages.ts';

/** A server without a socket, and the two collections of the controller. */
async function setUp(options: TestServerOptions = {}) {
  const server = await createTestServer({ ...options, resources: [pages] });
  const reference = { group: 'example.com', version: 'v1', resource: 'pages', kind: 'Page' };
  return {
    server,
    pages: server.client.resource<Page>(reference).namespace('default'),
    configMaps: server.client
      .resource<ConfigMap>({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
      .namespace('default'),
    run: (onError?: (error: unknown) => void) =>
      createPageController({ client: server.client, ambient: server, ...(onError && { onError }) }),
  };
}

/** Waits until an object is as expected. No clock, no polling: the server sends each change. */
async function until<T extends ApiObject>(
  resource: ResourceClient<T>,
  holds: (object: T, type: string) => boolean,
): Promise<T> {
  for await (const { type, object } of resource.watch()) if (holds(object, type)) return object;
  throw new Error('the watch has ended');
}

test('renders a page, and updates its status', async () => {
  const { server, pages, configMaps, run } = await setUp();
  await using _server = server;
  await using _controller = run();
  await pages.create({ metadata: { name: 'home' }, spec: { title: 'Fish & chips', body: '<3' } });

  const { metadata, status } = await until(pages, isRendered);
  expect(status).toEqual({ renderedGeneration: 1 });
  expect(metadata.generation).toBe(1);
  expect((await configMaps.get('home')).data).toEqual({
    'index.html': '<!doctype html><title>Fish &amp; chips</title><p>&lt;3</p>',
  });
});

test('renders pages from before its start', async () => {
  const { server, pages, configMaps, run } = await setUp();
  await using _server = server;
  await pages.create({ metadata: { name: 'home' }, spec: { title: 'Old', body: '' } });
  await using _controller = run();
  const { data } = await until(configMaps, ({ metadata }) => metadata.name === 'home');
  expect(data?.['index.html']).toContain('Old');
});

test('renders a changed page again', async () => {
  const { server, pages, configMaps, run } = await setUp();
  await using _server = server;
  await using _controller = run();
  await pages.create({ metadata: { name: 'home' }, spec: { title: 'One', body: '' } });
  await until(pages, isRendered);
  await pages.patch('home', { type: 'merge', patch: { spec: { title: 'Two' } } });
  await until(pages, (page) => page.metadata.generation === 2 && isRendered(page));
  expect((await configMaps.get('home')).data?.['index.html']).toContain('Two');
});

test('restores ConfigMaps that others change or delete', async () => {
  const { server, pages, configMaps, run } = await setUp();
  await using _server = server;
  await using _controller = run();
  await pages.create({ metadata: { name: 'home' }, spec: { title: 'Mine', body: '' } });
  const { metadata } = await until(pages, isRendered).then(() => configMaps.get('home'));

  await configMaps.patch('home', { type: 'merge', patch: { data: { 'index.html': 'graffiti' } } });
  await until(configMaps, ({ data }) => data?.['index.html']?.includes('Mine') === true);

  await configMaps.delete('home');
  const again = await until(configMaps, (object) => object.metadata.uid !== metadata.uid);
  expect(again.data?.['index.html']).toContain('Mine');
});

test('deletes the ConfigMap of a deleted page', async () => {
  const { server, pages, configMaps, run } = await setUp();
  await using _server = server;
  await using _controller = run();
  await pages.create({ metadata: { name: 'home' }, spec: { title: 'Gone', body: '' } });
  await until(pages, isRendered);
  const gone = until(configMaps, (_object, type) => type === 'DELETED');
  await pages.delete('home');
  expect((await gone).metadata.name).toBe('home');
});

test('retries rejected writes after a delay', async () => {
  let refusals = 0;
  const { server, pages, run } = await setUp({
    admission: [
      {
        name: 'RefuseTwice',
        handles: ({ resource, operation }) => resource.resource === 'configmaps' && operation === 'CREATE',
        validate: () => {
          if (refusals++ < 2) throw StatusError.forbidden(undefined, '', 'not today');
        },
      },
    ],
  });
  await using _server: TestServer = server;
  const failures: unknown[] = [];
  let failed: () => void = () => {};
  await using _controller = run((error) => {
    failures.push(error);
    failed();
  });
  const nextFailure = (): Promise<void> => new Promise((resolve) => (failed = resolve));

  const first = nextFailure();
  await pages.create({ metadata: { name: 'home' }, spec: { title: 'Late', body: '' } });
  await first;
  expect(StatusError.is(failures[0], 'Forbidden')).toBe(true);

  const second = nextFailure();
  await server.clock.advance(5);
  await second;
  expect(failures).toHaveLength(2);

  const rendered = until(pages, isRendered);
  await server.clock.advance(10);
  expect((await rendered).metadata.name).toBe('home');
  expect(failures).toHaveLength(2);
});

test('the example runs', async () => {
  await using example = await startExample(new URL('./main.ts', import.meta.url));
  const collection = `${example.url}/apis/example.com/v1/namespaces/default/pages`;
  const created = await fetch(collection, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"apiVersion":"example.com/v1","kind":"Page","metadata":{"name":"hello"},"spec":{"title":"Hello"}}',
  });
  expect(created.status).toBe(201);
  const changes = await fetch(`${example.url}/api/v1/namespaces/default/configmaps?watch=true`);
  for await (const event of changes.body as unknown as AsyncIterable<Uint8Array>) {
    const { object } = JSON.parse(new TextDecoder().decode(event)) as { object: ConfigMap };
    expect(object.data?.['index.html']).toContain('<title>Hello</title>');
    break;
  }
}, 30_000);
