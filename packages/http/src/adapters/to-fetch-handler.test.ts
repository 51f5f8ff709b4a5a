import type { ByteSink, Handler, ServerRequest } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';
import { toFetchHandler } from './to-fetch-handler.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('toFetchHandler', () => {
  it('passes on the request', async () => {
    let seen: ServerRequest | undefined;
    const handler = toFetchHandler(async (request) => {
      seen = request;
      return { status: 200, headers: {}, body: await request.body(10) };
    });
    const init = { method: 'POST', headers: { 'X-A': 'b' }, body: 'hello' };
    const response = await handler(new Request('https://host/a%20b/c?d=e', init));
    expect(await response.text()).toBe('hello');
    expect([seen?.method, seen?.url, seen?.connection.encrypted]).toEqual(['POST', '/a%20b/c?d=e', true]);
    expect([seen?.headers.get('x-a'), seen?.headers.all('X-A'), seen?.headers.all('none')]).toEqual([
      'b',
      ['b'],
      [],
    ]);
    expect([...(seen?.headers.entries() ?? [])]).toContainEqual(['x-a', 'b']);
  });

  it('returns pieces, repeated headers and empty bodies', async () => {
    const result = (response: object): Promise<Response> =>
      toFetchHandler(async () => ({ status: 200, headers: {}, ...response }))(new Request('http://host/'));
    expect(await (await result({ body: [bytes('a'), bytes('b')] })).text()).toBe('ab');
    const headers = { warning: ['299 - "a"', '299 - "b"'] };
    expect((await result({ headers })).headers.get('warning')).toBe('299 - "a", 299 - "b"');
    expect((await result({ status: 204, body: bytes('x') })).body).toBeNull();
    expect((await result({ status: 304 })).status).toBe(304);
  });

  it('answers HEAD without a body, and starts no stream for it', async () => {
    let started = 0;
    const handler = toFetchHandler(async () => ({ status: 200, headers: {}, body: () => void started++ }));
    expect((await handler(new Request('http://host/', { method: 'HEAD' }))).body).toBeNull();
    expect(started).toBe(0);
  });

  it('reads no more of a body than its limit', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const handler = toFetchHandler(async (request) => ({
      status: 200,
      headers: {},
      body: await request.body(10_000).catch((error) => bytes(error.message)),
    }));
    const init = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;
    const response = await handler(new Request('http://host/', init));
    expect(await response.text()).toBe('Request entity too large: limit is 10000');
    expect(pulled).toBeLessThan(20);
  });

  it('streams, and reports back-pressure', async () => {
    let sink: ByteSink | undefined;
    const response = await toFetchHandler(async () => ({
      status: 200,
      headers: {},
      body: (given) => {
        sink = given;
      },
    }))(new Request('http://host/'));
    let drained = 0;
    sink?.onDrain(() => drained++);
    expect(sink?.write(new Uint8Array(1000))).toBe(true);
    expect(sink?.write(new Uint8Array(100_000))).toBe(false);
    expect(sink?.buffered).toBe(101_000);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(1000);
    expect((await reader?.read())?.value).toHaveLength(100_000);
    await Promise.resolve();
    expect([sink?.buffered, drained]).toEqual([0, 1]);
    sink?.end();
    sink?.write(new Uint8Array(1));
    expect((await reader?.read())?.done).toBe(true);
  });

  it('errors a stream that is reset, and notifies the writer when the reader cancels', async () => {
    let sink: ByteSink | undefined;
    const handler: Handler = async () => ({
      status: 200,
      headers: {},
      body: (given) => {
        sink = given;
      },
    });
    const cut = await toFetchHandler(handler)(new Request('http://host/'));
    sink?.destroy();
    await expect(cut.text()).rejects.toThrow('the stream was destroyed');
    const left = await toFetchHandler(handler)(new Request('http://host/'));
    let closed = 0;
    sink?.onClose(() => closed++);
    await left.body?.cancel();
    expect([closed, sink?.write(bytes('x'))]).toEqual([1, false]);
  });

  it('serves an entire API, including watches', async () => {
    const api = createTestApi();
    const fetch = toFetchHandler(api.handler);
    const url = 'http://host/api/v1/namespaces/x/notes';
    const body = '{"metadata":{"name":"a"},"ключ":1}';
    const made = await fetch(
      new Request(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    );
    expect(made.status).toBe(201);
    const warning = Buffer.from(made.headers.get('warning') ?? '', 'latin1').toString();
    expect(warning).toBe('299 - "unknown field \\"ключ\\""');
    const reader = (await fetch(new Request(`${url}?watch=1`))).body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'a' } },
    });
    await reader?.cancel();
  });

  it('stops reading a body when the request has been answered', async () => {
    let reading: Promise<unknown> = Promise.resolve();
    let isCancelled = false;
    const fetch = toFetchHandler(async (request) => {
      reading = request.body(100).catch(String);
      return { status: 504, headers: {} };
    });
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(3)),
      cancel: () => {
        isCancelled = true;
      },
    });
    const response = await fetch(
      new Request('http://server/', { method: 'POST', body, duplex: 'half' } as RequestInit),
    );
    expect([response.status, await reading, isCancelled]).toEqual([
      504,
      'Error: the request was answered before its body had arrived',
      true,
    ]);
  });
});
