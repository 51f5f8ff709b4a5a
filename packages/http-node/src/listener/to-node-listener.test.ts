import { createServer } from 'node:http';
import type { Handler } from '@ashlar/core';
import { expect, it } from 'vitest';
import { listen } from './listen.ts';
import { toNodeListener } from './to-node-listener.ts';

const handler: Handler = async (request) => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: await request.body(100),
});

it('says in its log that a body was read before', async () => {
  const errors: unknown[] = [];
  const listener = toNodeListener(handler, { onError: (error) => errors.push(error) });
  const http = createServer(async (request, response) => {
    if (request.url === '/read') for await (const _ of request);
    listener(request, response);
  });
  await using listening = await listen(handler, { server: createServer() });
  expect(listening.url).toMatch(/^http:/);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  const post = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: 'hello' });
  expect(await (await post('/')).text()).toBe('hello');
  expect((await post('/read')).status).toBe(500);
  expect(errors.map(String)).toEqual([
    'TypeError: the body of a request was read before toNodeListener was called: call it before anything that parses bodies',
  ]);
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

it('listens on a server of the host', async () => {
  const server = createServer();
  await using listener = await listen(handler, { server });
  const response = await fetch(listener.url, { method: 'POST', body: 'hello' });
  expect(await response.text()).toBe('hello');
});

it.each<[string, () => unknown, string]>([
  [
    'a server in place of its handler',
    () => toNodeListener({ handler } as never),
    'option "handler" of toNodeListener must be server.handler, not an object with the members handler',
  ],
  [
    'no handler',
    () => toNodeListener(undefined as never),
    'option "handler" of toNodeListener must be a function, such as server.handler, not undefined',
  ],
])('rejects %s', (_, call, text) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(text);
});

it.each<[string, () => Promise<unknown>, string]>([
  [
    'a server in place of its handler',
    () => listen({ handler } as never),
    'option "handler" of listen must be server.handler',
  ],
  [
    'a text for a port',
    () => listen(handler, { port: '8080' as never }),
    'option "port" of listen must be a whole number from 0 to 65535, not "8080"',
  ],
  [
    'TLS beside a server',
    () => listen(handler, { server: createServer(), tls: { certificate: '', key: '' } }),
    'option "tls" of listen is for servers that it creates: give it to yours',
  ],
  [
    'a server that answers already',
    () => listen(handler, { server: createServer(() => {}) }),
    'option "server" of listen has a listener of requests: let that one call toNodeListener(handler)',
  ],
])('listen rejects %s', async (_, call, text) => {
  await expect(call()).rejects.toThrow(TypeError);
  await expect(call()).rejects.toThrow(text);
});

it('says what to do about a port that is in use', async () => {
  await using listener = await listen(handler);
  const { port } = listener.address as { port: number };
  await expect(listen(handler, { port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: `listen EADDRINUSE: address already in use 127.0.0.1:${port}: stop what listens there, or choose another port (0 is any free one)`,
  });
});
