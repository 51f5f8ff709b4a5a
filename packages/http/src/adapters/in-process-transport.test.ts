import type { ByteSink, Handler, ServerRequest, TransportRequest } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';
import { createInProcessTransport } from './in-process-transport.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (body: Uint8Array): string => new TextDecoder().decode(body);
const GET: TransportRequest = { method: 'GET' };

/** A handler whose stream the test writes. */
function streaming(): { readonly handler: Handler; sink(): ByteSink } {
  let sink: ByteSink | undefined;
  return {
    handler: async () => ({
      status: 200,
      headers: {},
      body: (given) => {
        sink = given;
      },
    }),
    sink: () => sink as ByteSink,
  };
}

describe('createInProcessTransport', () => {
  it('says of requests whether background work makes them', async () => {
    const seen: unknown[] = [];
    const handler: Handler = (request) => {
      seen.push(request.isBackground);
      return { status: 200, headers: {} };
    };
    await createInProcessTransport(handler).request('http://any/', { method: 'GET' });
    await createInProcessTransport(handler, { isBackground: true }).request('http://any/', { method: 'GET' });
    expect(seen).toEqual([false, true]);
  });

  it('passes the request to the handler and returns its response', async () => {
    let seen: ServerRequest | undefined;
    const transport = createInProcessTransport(async (request) => {
      seen = request;
      return { status: 201, headers: { 'x-a': ['b', 'c'] }, body: [bytes('a'), bytes('b')] };
    });
    const headers = { 'X-One': '1', 'x-two': ['2', '3'] };
    const response = await transport.request('http://any/a%20b?c=d', {
      method: 'POST',
      headers,
      body: bytes('body'),
    });
    expect([response.status, response.headers, text(await response.body())]).toEqual([
      201,
      { 'x-a': 'b, c' },
      'ab',
    ]);
    expect([seen?.method, seen?.url, seen?.headers.get('x-one')]).toEqual(['POST', '/a%20b?c=d', '1']);
    expect([seen?.headers.all('X-Two'), seen?.headers.all('none')]).toEqual([['2', '3'], []]);
    expect([...(seen?.headers.entries() ?? [])]).toEqual([
      ['content-length', '4'],
      ['x-one', '1'],
      ['x-two', '2'],
      ['x-two', '3'],
    ]);
    expect(text((await seen?.body(4)) ?? bytes(''))).toBe('body');
    await expect(seen?.body(3)).rejects.toThrow('Request entity too large: limit is 3');
  });

  it('answers HEAD without a body', async () => {
    const transport = createInProcessTransport(async () => ({ status: 200, headers: {}, body: bytes('x') }));
    expect(await (await transport.request('http://any/', { method: 'HEAD' })).body()).toHaveLength(0);
  });

  it('streams what is written until the end', async () => {
    const { handler, sink } = streaming();
    const response = await createInProcessTransport(handler).request('http://any/', GET);
    const read: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.stream()) read.push(text(chunk));
    })();
    await Promise.resolve();
    let drained = 0;
    sink().onDrain(() => drained++);
    sink().write(bytes('a'));
    sink().write(bytes('b'));
    expect(sink().buffered).toBe(2);
    await new Promise(setImmediate);
    expect([read, sink().buffered, drained]).toEqual([['a', 'b'], 0, 1]);
    sink().write(bytes('c'));
    sink().end();
    await reading;
    expect(read).toEqual(['a', 'b', 'c']);
    expect(sink().write(bytes('d'))).toBe(false);
  });

  it('reports that a reader is slow', async () => {
    const { handler, sink } = streaming();
    const response = await createInProcessTransport(handler).request('http://any/', GET);
    const iterator = response.stream()[Symbol.asyncIterator]();
    const first = iterator.next();
    expect(sink().write(new Uint8Array(1_000_000))).toBe(true);
    expect(sink().write(new Uint8Array(1_000_000))).toBe(false);
    await first;
    await iterator.next();
    expect(sink().buffered).toBe(0);
  });

  it('notifies the writer when the reader stops', async () => {
    const { handler, sink } = streaming();
    const response = await createInProcessTransport(handler).request('http://any/', GET);
    const iterator = response.stream()[Symbol.asyncIterator]();
    const first = iterator.next();
    let closed = 0;
    sink().onClose(() => closed++);
    sink().write(bytes('a'));
    await first;
    await iterator.return?.();
    sink().onClose(() => closed++);
    expect(closed).toBe(2);
  });

  it('throws in the reader when a stream is reset', async () => {
    const { handler, sink } = streaming();
    const response = await createInProcessTransport(handler).request('http://any/', GET);
    const reading = response.body();
    await Promise.resolve();
    sink().write(bytes('lost'));
    sink().destroy();
    await expect(reading).rejects.toThrow('the stream was destroyed');
  });

  it('is aborted by its signal: before, while the handler works, and in the stream', async () => {
    const before = AbortSignal.abort(new Error('before'));
    const { handler, sink } = streaming();
    const transport = createInProcessTransport(handler);
    await expect(transport.request('http://any/', { ...GET, signal: before })).rejects.toThrow('before');

    const during = new AbortController();
    const hanging = createInProcessTransport(() => new Promise(() => {}));
    const asking = hanging.request('http://any/', { ...GET, signal: during.signal });
    during.abort(new Error('during'));
    await expect(asking).rejects.toThrow('during');

    const after = new AbortController();
    const response = await transport.request('http://any/', { ...GET, signal: after.signal });
    const reading = response.body();
    await Promise.resolve();
    let closed = 0;
    sink().onClose(() => closed++);
    after.abort(new Error('after'));
    await expect(reading).rejects.toThrow('after');
    expect(closed).toBe(1);
    await expect(response.body()).rejects.toThrow('after');
  });

  it('carries a watch', async () => {
    const api = createTestApi();
    const transport = createInProcessTransport(api.handler);
    const response = await transport.request(
      'http://any/api/v1/namespaces/x/notes?watch=1&timeoutSeconds=5',
      GET,
    );
    const reading = response.body();
    await api.ask('POST', '/api/v1/namespaces/x/notes', { metadata: { name: 'a' } });
    api.clock.advance(5000);
    expect(JSON.parse(text(await reading))).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'a' } },
    });
  });
});
