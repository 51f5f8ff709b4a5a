import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { defineResource } from '@ashlar/apis';
import { createClient } from '@ashlar/client';
import { kubernetesVocabulary } from '@ashlar/core';
import { createNodeTransport, nodeAmbient } from '@ashlar/http-node';
import { type ApiServer, createApiServer } from '@ashlar/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

const notes = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Note',
  spec: z.object({ text: z.string() }),
});

interface Running {
  readonly url: string;
  close(): Promise<void>;
}
interface Recipe {
  createApplication(server: ApiServer): { listen(): Promise<Running> };
}

let server: ApiServer;
beforeEach(async () => {
  server = createApiServer({ vocabulary: kubernetesVocabulary, resources: [notes] });
  await server.ready;
});
afterEach(() => server.close());

describe.each(['express', 'fastify'])('an application on %s', (name) => {
  let running: Running;
  const transport = createNodeTransport();
  beforeEach(async () => {
    const { createApplication } = (await import(new URL(`${name}.mjs`, import.meta.url).href)) as Recipe;
    running = await createApplication(server).listen();
  });
  afterEach(async () => {
    transport.close();
    await running.close();
  });

  test('keeps its own routes, and serves the API on the same port', async () => {
    expect(await (await fetch(`${running.url}/hello`)).json()).toEqual({ hello: `from ${name}` });
    const client = createClient({
      transport,
      baseUrl: running.url,
      ambient: nodeAmbient(kubernetesVocabulary),
    });
    const here = client.resource(notes).namespace('default');
    await here.create({ metadata: { name: 'a' }, spec: { text: 'hi' } });
    expect((await here.get('a')).spec.text).toBe('hi');
  });

  test('sends the head of a watch before there are events, and ends it when the caller leaves', async () => {
    const leaving = new AbortController();
    const path = '/apis/example.com/v1/notes?watch=true&resourceVersion=0';
    const response = await fetch(running.url + path, { signal: leaving.signal });
    expect(response.status).toBe(200);
    await server.client
      .resource(notes)
      .namespace('default')
      .create({ metadata: { name: 'a' }, spec: { text: 'hi' } });
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain('"type":"ADDED"');
    leaving.abort();
  });

  test('answers 304 without a body', async () => {
    const url = `${running.url}/openapi/v2`;
    const first = await fetch(url);
    await first.arrayBuffer();
    const etag = first.headers.get('etag') ?? '';
    const second = await fetch(url, { headers: { 'if-none-match': etag } });
    expect([second.status, await second.text()]).toEqual([304, '']);
  });

  test('opens WebSockets', async () => {
    const path = '/apis/example.com/v1/notes?watch=true';
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const opening = request(running.url + path, { headers }).end();
    const [response, socket] = (await once(opening, 'upgrade')) as [IncomingMessage, Socket];
    expect(response.statusCode).toBe(101);
    await server.client
      .resource(notes)
      .namespace('default')
      .create({ metadata: { name: 'a' }, spec: { text: 'hi' } });
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(bytes.toString()).toContain('"type":"ADDED"');
    socket.destroy();
  });
});

test('an application on hono serves both', async () => {
  const { createApplication } = (await import(new URL('hono.mjs', import.meta.url).href)) as {
    createApplication(server: ApiServer): { request(path: string, init?: RequestInit): Promise<Response> };
  };
  const application = createApplication(server);
  expect(await (await application.request('/hello')).json()).toEqual({ hello: 'from hono' });
  const etag = (await application.request('/openapi/v2')).headers.get('etag') ?? '';
  const again = await application.request('/openapi/v2', { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const made = await application.request('/apis/example.com/v1/namespaces/default/notes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'example.com/v1',
      kind: 'Note',
      metadata: { name: 'a' },
      spec: { text: 'hi' },
    }),
  });
  expect(made.status).toBe(201);
});
