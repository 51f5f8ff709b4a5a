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

describe('an application with sessions', () => {
  interface Application {
    listen(options: object): Promise<string>;
    close(): Promise<void>;
  }
  interface SessionRecipe {
    createApplication(options: object): Promise<Application>;
  }
  const logged: Record<string, unknown>[] = [];
  const log: Record<string, unknown> = { level: 'info', child: () => log };
  for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    log[level] = (details: object, message?: string) => logged.push({ level, message, ...details });
  let application: Application;
  let url: string;
  beforeEach(async () => {
    logged.length = 0;
    const recipe = new URL('sessions.mjs', import.meta.url).href;
    const { createApplication } = (await import(recipe)) as SessionRecipe;
    application = await createApplication({ resources: [notes], passwords: { ann: 'a', ben: 'b' }, log });
    url = await application.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => application.close());

  const login = async (name: string, password: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name, password });
    const response = await fetch(`${url}/login`, { method: 'POST', headers, body });
    return response.headers.get('set-cookie')?.split(';')[0] ?? '';
  };
  const create = (name: string, text: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${url}/apis/example.com/v1/namespaces/default/notes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        ...{ apiVersion: 'example.com/v1', kind: 'Note', metadata: { name } },
        spec: { text },
      }),
    });

  test('serves who is logged in, and nobody else', async () => {
    const cookie = await login('ann', 'a');
    expect(cookie).toMatch(/^session=[0-9a-f]{32}$/);
    expect((await create('a', 'hi', { cookie })).status).toBe(201);
    expect(await login('ann', 'wrong')).toBe('');
    for (const wrong of ['', 'session=', 'session=constructor', 'other=1']) {
      const refused = await create('b', 'hi', wrong === '' ? {} : { cookie: wrong });
      expect([refused.status, await refused.json()]).toMatchObject([401, { reason: 'Unauthorized' }]);
    }
    const review = await fetch(`${url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
    });
    expect(await review.json()).toMatchObject({ status: { userInfo: { username: 'ann' } } });
  });

  test('each request has its own context and logger, however long its body is', async () => {
    const cookies = await Promise.all([login('ann', 'a'), login('ben', 'b')]);
    logged.length = 0;
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const traceparent = `00-${String(i).padStart(32, '0')}-00f067aa0ba902b7-01`;
        // large bodies are handled in slices
        const text = 'x'.repeat(i % 2 === 0 ? 10 : 400_000);
        return create(`n${i}`, text, { cookie: cookies[i % 2] as string, traceparent });
      }),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    const told = logged.filter(({ message }) => message === 'created');
    expect(told).toHaveLength(20);
    for (const { name, traceparent, user, requestId } of told) {
      const i = Number(String(name).slice(1));
      expect([traceparent, user]).toEqual([
        `00-${String(i).padStart(32, '0')}-00f067aa0ba902b7-01`,
        i % 2 === 0 ? 'ann' : 'ben',
      ]);
      expect(requestId).toMatch(/^req-/);
    }
    expect(new Set(told.map(({ requestId }) => requestId)).size).toBe(20);
  });

  test('ends watches when it is closed', async () => {
    const cookie = await login('ann', 'a');
    const watch = await fetch(`${url}/apis/example.com/v1/notes?watch=true`, { headers: { cookie } });
    const ended = watch.text();
    await application.close();
    expect(await ended).toBe('');
  });
});
