import { once } from 'node:events';
import { constants, createSecureServer } from 'node:http2';
import type { Handler } from '@ashlar/core';
import { describe, expect, it, vi } from 'vitest';
import * as certificates from '../listener/certificates.fixture.ts';
import { listen } from '../listener/listen.ts';
import { createHttp2Transport, type Http2TransportOptions } from './http2-transport.ts';
import { ca, serveSlowly, text, tls, transportTests } from './transport.fixture.ts';

const { serve, stopServing, opened } = transportTests();
const create = (options: Http2TransportOptions = { tls: ca }) => opened(createHttp2Transport(options));

describe('createHttp2Transport', () => {
  it('sends method, path, headers and body, and returns any status', async () => {
    const url = await serve(async (request) => ({
      status: 418,
      headers: { 'x-seen': request.headers.all('x-many'), 'x-url': `${request.method} ${request.url}` },
      body: await request.body(100),
    }));
    const response = await create().request(`${url}/a?b=c`, {
      method: 'PUT',
      headers: { 'x-many': ['a', 'b'] },
      body: new TextEncoder().encode('body'),
    });
    expect(response.status).toBe(418);
    expect(response.headers).toMatchObject({ 'x-seen': 'a, b', 'x-url': 'PUT /a?b=c' });
    expect(Object.keys(response.headers).filter((name) => name.startsWith(':'))).toEqual([]);
    expect(Buffer.from(await response.body()).toString()).toBe('body');
  });

  it('sends all requests over one connection at a time', async () => {
    const seen = new Set<unknown>();
    const waiting: (() => void)[] = [];
    const url = await serve(async ({ connection }) => {
      seen.add(connection);
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 20) for (const each of waiting) each();
      });
      return text('x');
    });
    const transport = create();
    const requests = Array.from({ length: 20 }, () => transport.request(url, { method: 'GET' }));
    for (const response of await Promise.all(requests)) await response.body();
    expect(seen.size).toBe(1);
  });

  it.each([undefined, 2])(
    'opens another connection while one has as many requests as it takes: %s',
    async (limit) => {
      const seen = new Map<unknown, number>();
      const handler: Handler = async ({ connection }) => {
        seen.set(connection, (seen.get(connection) ?? 0) + 1);
        return { status: 200, headers: {}, body: (sink) => void sink.write(Buffer.from('a')) };
      };
      await using listener = await listen(handler, {
        tls,
        ...(limit && { maximumConcurrentStreams: limit }),
      });
      using transport = create();
      const watch = async (): Promise<void> => {
        await transport.request(listener.url, { method: 'GET' });
      };
      await watch();
      await Promise.all(Array.from({ length: 2 * (limit ?? 100) }, watch));
      expect([...seen.values()]).toEqual(limit ? [2, 2, 1] : [100, 100, 1]);
    },
  );

  it('verifies servers, and separates those of different settings', async () => {
    const url = await serve(async () => text('x'));
    const transport = create();
    const ask = (request = {}) => transport.request(url, { method: 'GET', ...request });
    expect((await ask()).status).toBe(200);
    await expect(ask({ tls: { certificateAuthorities: certificates.otherAuthority } })).rejects.toThrow();
    await expect(ask({ tls: {} })).rejects.toThrow();
    expect((await ask({ tls: { insecure: true } })).status).toBe(200);
  });

  it('stops when aborted, before and while the response arrives', async () => {
    const url = await serve(async ({ url: path }) => {
      if (path === '/never') await new Promise(() => {});
      return { status: 200, headers: {}, body: (sink) => void sink.write(Buffer.from('a')) };
    });
    const transport = create();
    const controller = new AbortController();
    const { signal } = controller;
    const response = await transport.request(url, { method: 'GET', signal });
    const pieces = response.stream()[Symbol.asyncIterator]();
    await pieces.next();
    const never = transport.request(`${url}/never`, { method: 'GET', signal });
    controller.abort(new Error('seen enough'));
    await expect(never).rejects.toThrow('seen enough');
    await expect(pieces.next()).rejects.toThrow('seen enough');
    await expect(transport.request(url, { method: 'GET', signal })).rejects.toThrow('seen enough');
  });

  it('closes the connections of a replaced certificate: idle ones, and responses that are still arriving', async () => {
    const { url, seen, finish } = await serveSlowly(serve);
    const transport = create();
    const anna = { ...ca, ...certificates.client };
    const ask = async (method: string) => transport.request(url, { method, tls: anna });
    const watching = (await ask('GET')).stream()[Symbol.asyncIterator]();
    await watching.next();
    const waiting = ask('PUT');
    await vi.waitUntil(() => finish.length === 1);
    transport.closeConnections(certificates.clientOfIntermediate.certificate);
    await (await ask('POST')).body();
    expect(new Set(seen).size).toBe(1);

    transport.closeConnections(anna.certificate);
    await expect(watching.next()).rejects.toThrow('has been replaced');
    await (await ask('POST')).body();
    expect(new Set(seen).size).toBe(2);
    // pending requests complete, on the connection that accepts no others
    finish[0]?.();
    expect(Buffer.from(await (await waiting).body()).toString()).toBe('x');
  });

  it('continues on another connection when a server has closed one', async () => {
    const seen = new Set<unknown>();
    const handler: Handler = async ({ connection }) => {
      seen.add(connection);
      return text('x');
    };
    const url = await serve(handler);
    const transport = create();
    await (await transport.request(url, { method: 'GET' })).body();
    await stopServing();
    await expect(transport.request(url, { method: 'POST' })).rejects.toThrow();
    await serve(handler, tls, Number(new URL(url).port));
    await (await transport.request(url, { method: 'GET' })).body();
    expect(seen.size).toBe(2);
  });

  it('also ends the streams of a connection that accepts no more requests', async () => {
    const { certificate: cert, key } = tls;
    const server = createSecureServer({ cert, key }).listen(0, 'localhost');
    let connections = 0;
    server.on('session', (session) => {
      connections++;
      session.on('stream', (stream, { ':path': path }) => {
        stream.on('error', () => {});
        stream.respond({ ':status': 200 }, { endStream: path !== '/watch' });
        if (path !== '/watch') return;
        stream.write('a');
        session.goaway();
      });
    });
    await once(server, 'listening');
    const url = `https://localhost:${(server.address() as { port: number }).port}`;
    const anna = { ...ca, ...certificates.client };
    const transport = create();
    const ask = (path: string) => transport.request(url + path, { method: 'GET', tls: anna });
    const watching = (await ask('/watch')).stream()[Symbol.asyncIterator]();
    await watching.next();
    await vi.waitUntil(async () => {
      await (await ask('/')).body();
      return connections === 2;
    });
    transport.closeConnections(anna.certificate);
    await expect(watching.next()).rejects.toThrow('has been replaced');
    await new Promise((resolve) => server.close(resolve));
  });

  it('retries a request that was not processed, or a read on a reused connection that breaks', async () => {
    const { certificate: cert, key } = tls;
    const server = createSecureServer({ cert, key }).listen(0, 'localhost');
    const asked: string[] = [];
    server.on('session', (session) => {
      let count = 0;
      session.on('stream', (stream, { ':method': method = '' }) => {
        asked.push(method);
        stream.on('error', () => {});
        if (method === 'PUT' && asked.length === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
        else if (++count === 1) stream.respond({ ':status': 200 }, { endStream: true });
        else session.destroy();
      });
    });
    await once(server, 'listening');
    const url = `https://localhost:${(server.address() as { port: number }).port}/`;
    const transport = create();
    for (const method of ['PUT', 'GET']) await (await transport.request(url, { method })).body();
    expect(asked).toEqual(['PUT', 'PUT', 'GET', 'GET']);
    await expect(transport.request(url, { method: 'POST' })).rejects.toThrow();
    transport.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('rejects if nothing listens, for other schemes, and for servers with HTTP/1.1 only', async () => {
    const transport = create();
    await expect(transport.request('https://127.0.0.1:1/', { method: 'GET' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    await expect(transport.request('http://h/', { method: 'GET' })).rejects.toThrow(TypeError);
    const url = await serve(async () => text('x'), { ...tls, http2: false });
    await expect(transport.request(url, { method: 'GET' })).rejects.toThrow();
  });
});
