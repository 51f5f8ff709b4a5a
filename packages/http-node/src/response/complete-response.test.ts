import { createServer } from 'node:http';
import type { Handler, ServerResponse } from '@ashlar/core';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../listener/listen.ts';
import { openRaw } from '../listener/raw-http.fixture.ts';

const GET = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n';
const open: Listener[] = [];
const errors: unknown[] = [];

/** A listener with a server of its own, and one with the server of a host, whose responses Node writes. */
async function bothListeners(handler: Handler): Promise<readonly Listener[]> {
  const onError = (error: unknown): void => void errors.push(error);
  const both = [
    await listen(handler, { onError }),
    await listen(handler, { onError, server: createServer({ keepAliveTimeout: 90_000 }) }),
  ];
  open.push(...both);
  return both;
}

afterEach(async () => {
  errors.length = 0;
  await Promise.all(open.splice(0).map((listener) => listener.close({ graceMilliseconds: 0 })));
});

/** What each listener sends for so many requests, until the end of the last body, without dates. */
async function sent(response: ServerResponse, count = 1): Promise<readonly string[]> {
  const listeners = await bothListeners(() => response);
  return Promise.all(
    listeners.map(async (listener) => {
      const raw = openRaw(listener);
      raw.socket.write(GET.repeat(count));
      const text = await raw.until((received) => received.split(END).length > count);
      raw.socket.destroy();
      return text.replace(/Date: .*GMT/g, 'Date: now');
    }),
  );
}

const headers = {
  'content-type': 'text/plain',
  warning: ['299 - "one"', '299 - "two"'],
  'x-name': 'a\tb',
};
const END = '<end>';
const body = (size: number): Uint8Array => new Uint8Array(Buffer.from(END.padStart(size, 'a\xe9'), 'latin1'));
const pieces = (size: number): readonly Uint8Array[] => [
  new Uint8Array(size - 10).fill(98),
  Buffer.from('cc'),
  body(8),
];

describe('a complete response', () => {
  it.each([
    ['short', body(1000)],
    ['of pieces', pieces(1000)],
    ['of some kilobytes', body(20_000)],
    ['of some kilobytes in pieces', pieces(20_000)],
    ['of one slab', pieces(256 * 1024)],
    ['of many slabs', pieces(3_000_001)],
    ['of one piece for many slabs', body(3_000_001)],
  ])('has the bytes that Node would write: %s', async (_, content) => {
    const [own, ofNode] = await sent({ status: 201, headers, body: content });
    expect(own).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(own).toContain('Keep-Alive: timeout=90\r\n');
    expect(own === ofNode).toBe(true);
  });

  it.each([
    ['HTTP/1.0', 'GET / HTTP/1.0\r\nHost: h\r\n\r\n'],
    ['a request that closes the connection', 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'],
  ])('ends the connection after %s', async (_, request) => {
    for (const listener of await bothListeners(() => ({ status: 200, headers, body: body(10) }))) {
      const raw = openRaw(listener);
      raw.socket.write(request);
      expect(await raw.closed()).toMatch(/Connection: close\r\n[\s\S]*<end>$/);
    }
  });

  it.each([
    ['a line end', { 'x-name': 'a\r\nset-cookie: b' }],
    ['a line end in one of several values', { warning: ['a', 'b\nc'] }],
    ['a character that is not Latin-1', { 'x-name': '\u0100' }],
    ['a name with a line end', { 'x: y\r\nz': 'a' }],
  ])('is an error where a field has %s', async (_, invalid) => {
    for (const listener of await bothListeners(() => ({ status: 200, headers: invalid, body: body(10) }))) {
      const raw = openRaw(listener);
      raw.socket.write(GET);
      const text = await raw.until((received) => received.includes('\r\n\r\n'));
      expect(text).toMatch(/^HTTP\/1\.1 500 /);
      raw.socket.destroy();
    }
    expect(errors).toHaveLength(2);
  });

  it.each([10, 600_000])('has characters of Latin-1 in one byte, before %s bytes', async (size) => {
    const [own] = await sent({ status: 200, headers: { 'x-name': 'caf\xe9' }, body: body(size) });
    expect(own).toContain('x-name: caf\xe9\r\n');
  });

  it('keeps a length and a date that it brings', async () => {
    const own = { 'content-length': '10', date: 'Mon, 01 Jan 2024 00:00:00 GMT' };
    for (const text of await sent({ status: 200, headers: own, body: body(10) })) {
      expect(text.match(/content-length/gi)).toHaveLength(1);
      expect(text.match(/date/gi)).toHaveLength(1);
    }
  });

  it('has the values of its own, not those of the response before it', async () => {
    let count = 0;
    const values = ['a', 'b', 'b', 'c'.repeat(1000), 'b', 'a'];
    const [listener] = await bothListeners(() => ({
      ...{ status: 200, body: body(10) },
      headers: { 'x-name': values[count++] as string },
    }));
    const raw = openRaw(listener as Listener);
    raw.socket.write(GET.repeat(values.length));
    const text = await raw.until((received) => received.split(END).length > values.length);
    raw.socket.destroy();
    expect([...text.matchAll(/x-name: (.*)\r\n/g)].map(([, value]) => value)).toEqual(values);
  });

  it('is followed by the next one on its connection', async () => {
    for (const content of [body(10), pieces(600_000)]) {
      const [own, ofNode] = await sent({ status: 200, headers, body: content }, 3);
      expect(own?.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
      expect(own === ofNode).toBe(true);
    }
  });

  it('does not abort the signal of its request', async () => {
    const seen: string[] = [];
    const [listener] = await bothListeners((request) => {
      request.signal.addEventListener('abort', () => seen.push('aborted'));
      return { status: 200, headers, body: body(10) };
    });
    const raw = openRaw(listener as Listener);
    for (const count of [1, 2, 3]) {
      raw.socket.write(GET);
      await raw.until((text) => text.split(END).length > count);
    }
    raw.socket.destroy();
    expect(seen).toEqual([]);
  });
});
