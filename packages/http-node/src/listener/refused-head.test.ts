import { connect } from 'node:http2';
import type { Handler } from '@ashlar/core';
import { afterEach, describe, expect, it } from 'vitest';
import * as certificates from './certificates.fixture.ts';
import { type Listener, listen } from './listen.ts';
import type { ListenOptions } from './listen-options.ts';
import { openRaw } from './raw-http.fixture.ts';

let listener: Listener | undefined;
let asked = 0;
const handler: Handler = async (request) => {
  asked++;
  await request.body(1000);
  const names = [...request.headers.entries()].map(([name]) => name);
  return {
    status: 200,
    headers: {},
    body: new TextEncoder().encode(`${names.length} lines, last ${names.at(-1)}`),
  };
};

afterEach(async () => {
  await listener?.close({ graceMilliseconds: 0 });
  asked = 0;
});

async function answerTo(request: string, options: ListenOptions = {}): Promise<string> {
  listener = await listen(handler, options);
  const raw = openRaw(listener);
  raw.socket.write(request);
  // following bytes must not be parsed as another request
  raw.socket.write('GET /next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  return raw.closed();
}

const junk = (count: number): string => Array.from({ length: count }, (_, i) => `x-${i}: a\r\n`).join('');

describe('header lines', () => {
  it('are accepted up to the limit', async () => {
    const text = await answerTo(`GET / HTTP/1.1\r\nHost: h\r\n${junk(1022)}Impersonate-User: a\r\n\r\n`);
    expect(text).toContain('1024 lines, last impersonate-user');
  });

  it.each([1, 10, 1000, 20_000])('are rejected if there are %i too many, never truncated', async (more) => {
    const text = await answerTo(
      `GET / HTTP/1.1\r\nHost: h\r\n${junk(1022 + more)}Impersonate-User: a\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect([asked, text.match(/HTTP\/1\.1 /g)?.length]).toEqual([0, 1]);
  });

  it('have a configurable limit', async () => {
    const request = `GET / HTTP/1.1\r\nHost: h\r\n${junk(4)}\r\n`;
    expect(await answerTo(request, { maximumHeaderLines: 4 })).toMatch(/^HTTP\/1\.1 431 /);
    await listener?.close({ graceMilliseconds: 0 });
    expect(await answerTo(request, { maximumHeaderLines: 5 })).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('are rejected for WebSockets, too', async () => {
    const text = await answerTo(
      `GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${junk(1100)}\r\n`,
    );
    expect([text.slice(0, 12), asked]).toEqual(['HTTP/1.1 431', 0]);
  });

  // newer releases of Node reject trailers, too, of which there are too many
  it.each([
    [500, /2 lines, last transfer-encoding/],
    [3000, /2 lines, last transfer-encoding|^HTTP\/1\.1 431 /],
  ])('are never read from %i trailers', async (count, expected) => {
    const trailers = `${junk(count)}Impersonate-User: a\r\n`;
    const text = await answerTo(
      `POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n${trailers}\r\n`,
    );
    expect(text).toMatch(expected);
  });

  it('are rejected over HTTP/2 with a stream reset', async () => {
    listener = await listen(handler, { tls: certificates.server });
    const { port } = listener.address as { port: number };
    const session = connect(`https://localhost:${port}`, {
      ca: certificates.authority,
      maxHeaderListPairs: 10_000,
    });
    session.on('error', () => {});
    const headers = Object.fromEntries(Array.from({ length: 1100 }, (_, i) => [`x-${i}`, 'a']));
    const outcome = await new Promise((resolve) => {
      const stream = session.request({ ':path': '/', ...headers });
      stream.on('response', resolve).on('error', resolve).on('close', resolve);
    });
    session.destroy();
    expect([outcome instanceof Error, asked]).toEqual([true, 0]);
  });
});

describe('an ambiguous header', () => {
  it.each([
    ['GET /\r\n\r\n', 400],
    ['GET / HTTP/0.9\r\nHost: h\r\n\r\n', 400],
    ['GET / HTTP/2.0\r\nHost: h\r\n\r\n', 505],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nHOST: a\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 501],
    [
      'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      501,
    ],
    ['POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n', 400],
    ['POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc', 400],
    ['GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nHost: b\r\n\r\n', 400],
  ])('is rejected: %j', async (request, status) => {
    const text = await answerTo(request);
    expect([text.slice(0, 12), text.match(/HTTP\/1\.1 \d/g)?.length]).toEqual([`HTTP/1.1 ${status}`, 1]);
    expect(asked).toBe(0);
  });

  it('is accepted if it only looks so', async () => {
    const text = await answerTo(
      'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\nHost-: b\r\n\r\n0\r\n\r\n',
    );
    expect(text.match(/HTTP\/1\.1 200/g)?.length).toBe(2);
  });

  it.each([
    [{ ':authority': 'a', host: 'b' }, 400],
    [{ ':authority': 'a', host: 'a' }, 200],
    [{ ':authority': 'a' }, 200],
  ])('is rejected over HTTP/2 if it names two hosts: %j', async (headers, status) => {
    listener = await listen(handler, { tls: certificates.server });
    const { port } = listener.address as { port: number };
    const session = connect(`https://localhost:${port}`, { ca: certificates.authority });
    const answered = await new Promise((resolve, reject) => {
      const stream = session.request({ ':path': '/', ...headers });
      stream.on('response', (received) => resolve(received[':status'])).on('error', reject);
    });
    session.destroy();
    expect(answered).toBe(status);
  });
});
