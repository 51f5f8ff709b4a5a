import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as requestHttp } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { ByteSink, Handler, ServerRequest, ServerResponse, SizedPieces } from '@ashlar/core';
import { StatusError } from '@ashlar/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createNodeTransport, type NodeTransport } from '../transport/node-transport.ts';
import * as certificates from './certificates.fixture.ts';
import { type Listener, listen } from './listen.ts';
import type { ListenOptions } from './listen-options.ts';
import { openRaw } from './raw-http.fixture.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const plain = (text: string, status = 200): ServerResponse => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body: bytes(text),
});
const tls = { certificate: certificates.server.certificate, key: certificates.server.key };

const open: Listener[] = [];
const transports: NodeTransport[] = [];

async function serve(handler: Handler, options: ListenOptions = {}): Promise<Listener> {
  const listener = await listen(handler, options);
  open.push(listener);
  return listener;
}

function transport(options: Parameters<typeof createNodeTransport>[0] = {}): NodeTransport {
  const made = createNodeTransport({ tls: { certificateAuthorities: certificates.authority }, ...options });
  transports.push(made);
  return made;
}

const textOf = (body: Uint8Array): string => Buffer.from(body).toString();

afterEach(async () => {
  for (const made of transports.splice(0)) made.close();
  await Promise.all(open.splice(0).map((listener) => listener.close({ graceMilliseconds: 0 })));
});

describe('listen', () => {
  it('serves plain HTTP and returns its URL', async () => {
    const listener = await serve(async (request) => plain(`${request.method} ${request.url}`));
    expect(listener.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const response = await transport().request(`${listener.url}/a%20b?c=d`, { method: 'GET' });
    expect(response.status).toBe(200);
    expect(response.headers['content-length']).toBe('14');
    expect(textOf(await response.body())).toBe('GET /a%20b?c=d');
  });

  it.each([
    ['prefers AES with 128 bits', undefined, 'TLS_AES_128_GCM_SHA256'],
    ['takes the ciphers of its options', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
  ])('%s', async (_, ciphers, name) => {
    const { address } = await serve(async () => plain('x'), { tls: { ...tls, ...(ciphers && { ciphers }) } });
    if (!('port' in address)) throw new Error('not a port');
    const socket = connectTls({ port: address.port, ca: certificates.authority, servername: 'localhost' });
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    expect(socket.getCipher().name).toBe(name);
    socket.destroy();
  });

  it('serves HTTPS', async () => {
    const listener = await serve(async ({ connection }) => plain(String(connection.encrypted)), { tls });
    expect(listener.url).toMatch(/^https:/);
    const response = await transport().request(`${listener.url}/`, { method: 'GET' });
    expect(textOf(await response.body())).toBe('true');
  });

  it('rejects TLS before 1.2', async () => {
    const listener = await serve(async () => plain('x'), { tls });
    const { port } = listener.address as { port: number };
    const failed = await new Promise<Error>((resolve) => {
      const options = {
        port,
        host: '127.0.0.1',
        maxVersion: 'TLSv1.1',
        minVersion: 'TLSv1',
        ciphers: 'ALL@SECLEVEL=0',
      };
      connectTls({ ...options, rejectUnauthorized: false } as never).on('error', resolve);
    });
    expect(failed.message).toMatch(/protocol version|unsupported|alert/i);
  });

  it('keeps repeated header fields separate, with case-insensitive names', async () => {
    let seen: ServerRequest | undefined;
    const listener = await serve(async (request) => {
      seen = request;
      return plain('');
    });
    const raw = openRaw(listener);
    raw.socket.write('GET / HTTP/1.1\r\nHost: h\r\nX-Group: a\r\nx-group: b,c\r\nX-GROUP:\r\n\r\n');
    await raw.until((text) => text.includes('\r\n\r\n'));
    expect(seen?.headers.get('x-group')).toBe('a');
    expect(seen?.headers.all('X-Group')).toEqual(['a', 'b,c', '']);
    expect([...(seen as ServerRequest).headers.entries()]).toContainEqual(['x-group', 'b,c']);
    raw.socket.destroy();
  });

  it('sends an array of values as several fields', async () => {
    const headers = { warning: ['299 - "a"', '299 - "b"'] };
    const listener = await serve(async () => ({ status: 204, headers }));
    const raw = openRaw(listener);
    raw.socket.write('GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    const text = await raw.closed();
    expect(text).toContain('warning: 299 - "a"\r\nwarning: 299 - "b"\r\n');
    expect(text).not.toMatch(/content-length/i);
  });

  it('sends no body for HEAD', async () => {
    const listener = await serve(async (request) =>
      request.url === '/stream'
        ? { status: 200, headers: {}, body: (sink) => sink.end() }
        : { status: 200, headers: {}, body: [bytes('abc'), bytes('de')] },
    );
    for (const [path, expected] of [
      ['/', /content-length: 5/],
      ['/stream', /200 OK/],
    ] as const) {
      const raw = openRaw(listener);
      raw.socket.write(`HEAD ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
      const text = await raw.closed();
      expect(text).toMatch(expected);
      expect(text.endsWith('\r\n\r\n')).toBe(true);
    }
  });

  it('reduces an absolute request target to its path', async () => {
    const listener = await serve(async (request) => plain(`<${request.url}>`));
    const raw = openRaw(listener);
    raw.socket.write('GET http://other/a?b HTTP/1.1\r\nHost: h\r\n\r\n');
    raw.socket.write('GET http://other?b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    const text = await raw.closed();
    expect(text).toContain('</a?b>');
    expect(text).toContain('</?b>');
  });

  it('answers pipelined requests in order, including streams', async () => {
    const release: (() => void)[] = [];
    const listener = await serve(async (request) => {
      if (request.url === '/slow') await new Promise<void>((resolve) => release.push(resolve));
      if (request.url !== '/stream') return plain(`[${request.url}]`);
      return {
        status: 200,
        headers: {},
        body: (sink) => {
          sink.write(bytes('[/stream]'));
          sink.end();
          // the stream was written before the response ahead of it
          setTimeout(() => release[0]?.(), 20);
        },
      };
    });
    const raw = openRaw(listener);
    for (const path of ['/slow', '/stream', '/last'])
      raw.socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`);
    const text = await raw.until((all) => all.includes('[/last]'));
    expect(text.match(/\[\/\w+\]/g)).toEqual(['[/slow]', '[/stream]', '[/last]']);
    raw.socket.destroy();
  });

  it('streams to HTTP/1.0 without chunks', async () => {
    const body = (sink: ByteSink): void => {
      sink.write(bytes('one'));
      setTimeout(() => {
        sink.write(bytes('two'));
        sink.end();
      }, 10);
    };
    const listener = await serve(async () => ({ status: 200, headers: {}, body }));
    const raw = openRaw(listener);
    raw.socket.write('GET / HTTP/1.0\r\n\r\n');
    expect((await raw.closed()).endsWith('\r\n\r\nonetwo')).toBe(true);
  });

  it('responds if a handler fails, and reports the error', async () => {
    const errors: unknown[] = [];
    const listener = await serve(
      async (request) => {
        if (request.url === '/header') return { status: 200, headers: { bad: 'a\r\nb' }, body: bytes('x') };
        throw new Error('boom');
      },
      { onError: (error) => errors.push(error) },
    );
    for (const path of ['/', '/header']) {
      const response = await transport().request(`${listener.url}${path}`, { method: 'GET' });
      expect(response.status).toBe(500);
      expect(textOf(await response.body())).toBe(
        'This request caused apiserver to panic. Look in the logs for details.\n',
      );
    }
    expect(errors.map(String)).toEqual([
      'Error: boom',
      expect.stringMatching(/invalid character|Invalid character/i),
    ]);
  });

  it('aborts the signal when the client disconnects, and not after a complete response', async () => {
    const signals: AbortSignal[] = [];
    let started: () => void = () => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const listener = await serve(async (request) => {
      signals.push(request.signal);
      if (request.url === '/fine') return plain('fine');
      started();
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
      return plain('too late');
    });
    await (await transport().request(`${listener.url}/fine`, { method: 'GET' })).body();
    const leaving = new AbortController();
    const call = transport().request(`${listener.url}/wait`, { method: 'GET', signal: leaving.signal });
    await running;
    leaving.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await expect.poll(() => signals[1]?.aborted).toBe(true);
    expect(signals[0]?.aborted).toBe(false);
  });

  it('reports an address that is in use', async () => {
    const first = await serve(async () => plain('x'));
    const { port } = first.address as { port: number };
    await expect(listen(async () => plain('y'), { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('rejects an invalid certificate', async () => {
    await expect(listen(async () => plain('x'), { tls: { certificate: 'x', key: 'y' } })).rejects.toThrow();
  });

  it('closes connections beyond the limit', async () => {
    const listener = await serve(async () => plain('x'), { maximumConnections: 1 });
    const first = openRaw(listener);
    first.socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    await first.until((text) => text.includes('200 OK'));
    const second = openRaw(listener);
    second.socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(await second.closed()).toBe('');
    first.socket.destroy();
  });
});

describe('responses', () => {
  it('that are ready at once are written together, when all requests of a turn have been handled', async () => {
    let order: string[] = [];
    const listener = await serve(({ url }) => {
      order.push(`handle ${url}`);
      return {
        status: 200,
        get headers() {
          order.push(`write ${url}`);
          return {};
        },
      };
    });
    const both = [openRaw(listener), openRaw(listener)] as const;
    const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
    for (const raw of both) {
      raw.socket.write(get('/first'));
      await raw.until((text) => text.includes('200 OK'));
    }
    order = [];
    for (const [i, raw] of both.entries()) raw.socket.write(get(`/${i}`));
    for (const raw of both) await raw.until((text) => text.split('200 OK').length === 3);
    expect(order).toEqual(['handle /0', 'handle /1', 'write /0', 'write /1']);
    for (const { socket } of both) socket.destroy();
  });
});

describe('requests of one round', () => {
  it.each(['GET', 'DELETE'])('are answered, also if the client has ended its side: %s', async (method) => {
    const listener = await serve(async ({ url }) => plain(url));
    const raw = openRaw(listener);
    await once(raw.socket, 'connect');
    raw.socket.end(`${method} /a HTTP/1.1\r\nHost: h\r\n\r\n`);
    expect(await raw.closed()).toContain('/a');
  });

  it('are handled in the asynchronous contexts in which they arrived', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const server = createServer();
    const emit = server.emit.bind(server);
    // as hosts and instrumentations do
    server.emit = (event: string, ...rest: unknown[]) => {
      const [incoming] = rest as [IncomingMessage];
      return event === 'request'
        ? context.run(`${incoming.url}`, () => emit(event, ...rest))
        : emit(event, ...rest);
    };
    const listener = await serve(
      ({ url }) => {
        seen.push(`${url} in ${context.getStore()}`);
        return { status: 200, headers: {} };
      },
      { server },
    );
    const both = [openRaw(listener), openRaw(listener)] as const;
    for (const [i, raw] of both.entries()) raw.socket.write(`GET /${i} HTTP/1.1\r\nHost: h\r\n\r\n`);
    for (const raw of both) await raw.until((text) => text.includes('200 OK'));
    expect(seen.sort()).toEqual(['/0 in /0', '/1 in /1']);
    for (const { socket } of both) socket.destroy();
  });
});

describe('request bodies', () => {
  const echo: Handler = async (request) => {
    try {
      const body = await request.body(1000);
      return plain(`${body.length}`);
    } catch (error) {
      const { status } = StatusError.from(error);
      return plain(status.message ?? '', status.code ?? 500);
    }
  };

  it('are read completely, with a length or chunked', async () => {
    const listener = await serve(echo);
    const announced = await transport().request(listener.url, { method: 'POST', body: new Uint8Array(1000) });
    expect(textOf(await announced.body())).toBe('1000');
    const raw = openRaw(listener);
    raw.socket.write('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n');
    raw.socket.write('3\r\nabc\r\n');
    raw.socket.write('2\r\nde\r\n0\r\n\r\n');
    expect((await raw.closed()).endsWith('\r\n\r\n5')).toBe(true);
  });

  it('are empty if there are none', async () => {
    const listener = await serve(echo);
    for (const method of ['GET', 'DELETE', 'POST']) {
      const response = await transport().request(listener.url, { method });
      expect(textOf(await response.body())).toBe('0');
    }
  });

  it('are rejected by their declared length before they are sent', async () => {
    const listener = await serve(echo);
    const raw = openRaw(listener);
    raw.socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3145729\r\n\r\n');
    const text = await raw.until((all) => all.includes('limit'));
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    expect(text).toContain('Request entity too large: limit is 1000');
    expect(text).toMatch(/connection: close/i);
    raw.socket.destroy();
  });

  it('are rejected when they exceed the limit, and the client that keeps sending gets the response', async () => {
    const listener = await serve(echo);
    const raw = openRaw(listener);
    raw.socket.write('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
    for (let i = 0; i < 64; i++) raw.socket.write(chunk);
    const text = await raw.closed();
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    expect(text).toContain('limit is 1000');
  });

  it('that stay unread after a rejection are drained', async () => {
    const listener = await serve(async (request) => plain(request.url, 403));
    const raw = openRaw(listener);
    raw.socket.write(`POST /first HTTP/1.1\r\nHost: h\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(100)}`);
    await raw.until((text) => text.includes('/first'));
    raw.socket.write(`${'x'.repeat(4900)}GET /second HTTP/1.1\r\nHost: h\r\n\r\n`);
    expect(await raw.until((text) => text.includes('/second'))).toContain('/second');
    raw.socket.destroy();
  });

  it('that are too long to be drained close the connection: pipelined requests are ignored', async () => {
    const asked: string[] = [];
    const listener = await serve((request) => {
      asked.push(request.url);
      return plain(request.url, 403);
    });
    const raw = openRaw(listener);
    const head = 'POST /first HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n';
    raw.socket.write(`${head}3\r\nabc\r\n0\r\n\r\nDELETE /second HTTP/1.1\r\nHost: h\r\n\r\n`);
    expect(await raw.closed()).toMatch(/^HTTP\/1.1 403 .*connection: close.*\/first$/is);
    expect(asked).toEqual(['/first']);
  });

  it('with Expect are requested only when they are read', async () => {
    const listener = await serve(async (request) =>
      request.url === '/no' ? plain('no', 401) : echo(request),
    );
    const refused = openRaw(listener);
    refused.socket.write('POST /no HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n');
    expect(await refused.closed()).toMatch(/^HTTP\/1.1 401 /);
    const accepted = openRaw(listener);
    accepted.socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n');
    await accepted.until((text) => text.startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    accepted.socket.write('abc');
    expect(await accepted.until((text) => text.endsWith('\r\n\r\n3'))).toContain('200 OK');
    accepted.socket.destroy();
  });

  it('that are cut off reject', async () => {
    let failure: unknown;
    const listener = await serve(async (request) => {
      failure = await request.body(1000).catch((error: unknown) => error);
      return plain('');
    });
    const raw = openRaw(listener);
    raw.socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc', () =>
      raw.socket.destroy(),
    );
    await expect.poll(() => failure).toBeInstanceOf(Error);
  });

  it('of responses are sent in pieces of any number and length', async () => {
    const piece = (length: number, fill: number): Uint8Array => new Uint8Array(length).fill(fill);
    const bodies: Record<string, readonly Uint8Array[]> = {
      '/none': [],
      '/empty': [piece(0, 0)],
      '/few': [piece(3, 1), piece(0, 0), piece(4, 2)],
      '/many': Array.from({ length: 3000 }, (_, i) => piece(i % 700, i % 251)),
      '/large': [piece(10, 1), piece(1_000_000, 2), piece(300_000, 3), piece(1, 4), piece(0, 0)],
    };
    const listener = await serve(
      async (request) => ({ status: 200, headers: {}, body: bodies[request.url] }),
      { tls },
    );
    for (const [path, pieces] of Object.entries(bodies)) {
      const [one, two] = await Promise.all(
        [0, 1].map(async () => (await transport().request(listener.url + path, { method: 'GET' })).body()),
      );
      expect(Buffer.concat(pieces).equals(one as Uint8Array), path).toBe(true);
      expect(Buffer.concat(pieces).equals(two as Uint8Array), path).toBe(true);
    }
  });

  it('of responses are generated while they are written, if their size is known', async () => {
    const made = function* (count: number): Iterable<Uint8Array> {
      for (let i = 0; i < count; i++) yield new Uint8Array(1000).fill(i % 251);
    };
    const sized = (count: number): SizedPieces => ({
      size: count * 1000,
      [Symbol.iterator]: () => made(count)[Symbol.iterator](),
    });
    const bodies: Record<string, SizedPieces> = { '/short': sized(20), '/long': sized(4000) };
    const listener = await serve(
      async (request) => ({ status: 200, headers: {}, body: bodies[request.url] }),
      { tls },
    );
    for (const [path, pieces] of Object.entries(bodies)) {
      const response = await transport().request(listener.url + path, { method: 'GET' });
      expect(response.headers['content-length']).toBe(String(pieces.size));
      expect(Buffer.concat([...pieces]).equals((await response.body()) as Uint8Array), path).toBe(true);
    }
  });

  it('that cannot be generated reset the response', async () => {
    const broken: SizedPieces = {
      size: 1_000_000,
      *[Symbol.iterator]() {
        for (let i = 0; i < 500; i++) yield new Uint8Array(1000);
        throw new Error('no more');
      },
    };
    const listener = await serve(async () => ({ status: 200, headers: {}, body: broken }), { tls });
    const response = await transport().request(listener.url, { method: 'GET' });
    await expect(response.body()).rejects.toThrow(/aborted|terminated|reset|hang up/i);
  });
});

describe('an ambiguous request', () => {
  const cases = {
    'two lengths': 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
    'a length and chunks':
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'an unknown transfer coding':
      'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n',
    'a blank before the colon': 'GET / HTTP/1.1\r\nHost: h\r\nX-A : b\r\n\r\n',
    'a bare line feed': 'GET / HTTP/1.1\nHost: h\nX-A: b\n\n',
    'a folded line': 'GET / HTTP/1.1\r\nHost: h\r\nX-A: b\r\n c\r\n\r\n',
    'a chunk length with a sign':
      'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n+3\r\nabc\r\n0\r\n\r\n',
  };
  it.each(Object.entries(cases))('is rejected: %s', async (_, request) => {
    let answered = 0;
    const listener = await serve(async (asked) => {
      await asked.body(100);
      answered++;
      return plain('');
    });
    const raw = openRaw(listener);
    raw.socket.write(`${request}`);
    raw.socket.write('GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(await raw.closed()).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
    expect(answered).toBe(0);
  });

  it('without a host is rejected', async () => {
    let answered = 0;
    const listener = await serve(async () => plain(String(answered++)));
    const raw = openRaw(listener);
    raw.socket.write('GET / HTTP/1.1\r\n\r\n');
    expect(await raw.closed()).toMatch(/^HTTP\/1\.1 400 /);
    expect(answered).toBe(0);
  });

  it('with too long a header is rejected', async () => {
    const listener = await serve(async () => plain(''), { maximumHeaderBytes: 4096 });
    const raw = openRaw(listener);
    raw.socket.write(`GET / HTTP/1.1\r\nHost: h\r\nX-A: ${'a'.repeat(5000)}\r\n\r\n`);
    expect(await raw.closed()).toMatch(/^HTTP\/1\.1 431 /);
  });

  it.each([
    [250_000, undefined, /250000$/],
    [300_000, undefined, /^HTTP\/1\.1 431 /],
    [900_000, 1024 * 1024, /900000$/],
  ])('of %s bytes is read or rejected by its limit, %s', async (length, maximumHeaderBytes, result) => {
    const handler: Handler = async (request) => plain(String(request.headers.get('x-a')?.length));
    const listener = await serve(handler, maximumHeaderBytes === undefined ? {} : { maximumHeaderBytes });
    const raw = openRaw(listener);
    raw.socket.write(`GET / HTTP/1.1\r\nHost: h\r\nX-A: ${'a'.repeat(length)}\r\nConnection: close\r\n\r\n`);
    expect(await raw.closed()).toMatch(result);
  });

  it('with a large header is answered before more of them are read', async () => {
    const reads: number[] = [];
    const responses: ((response: ServerResponse) => void)[] = [];
    const listener = await serve((request) => {
      reads.push(request.headers.size ?? 0);
      return new Promise((resolve) => {
        responses.push(resolve);
      });
    });
    const raw = openRaw(listener);
    const count = 8;
    raw.socket.write(`GET / HTTP/1.1\r\nHost: h\r\nX-A: ${'a'.repeat(200_000)}\r\n\r\n`.repeat(count));
    for (let answered = 0; answered < count; answered++) {
      await vi.waitFor(() => expect(reads.length).toBeGreaterThan(answered), { timeout: 60_000 });
      // bytes that had arrived with a head may hold the next one
      expect(reads.length - answered).toBeLessThan(4);
      responses[answered]?.(plain(''));
    }
  });
});

describe('client certificates', () => {
  const withAuthority = { ...tls, clientCertificateAuthorities: certificates.authority };
  const who: Handler = async ({ connection }) => {
    const { clientCertificates, clientCertificateError: error } = connection as typeof connection & {
      clientCertificateError?: string;
    };
    return plain(JSON.stringify({ chain: clientCertificates?.length ?? null, error: error ?? null }));
  };
  const ask = async (listener: Listener, own?: { certificate: string; key: string }): Promise<unknown> => {
    const response = await transport().request(listener.url, {
      method: 'GET',
      tls: { certificateAuthorities: certificates.authority, ...own },
    });
    return JSON.parse(textOf(await response.body()));
  };

  it('are passed as a verified chain', async () => {
    const listener = await serve(who, { tls: withAuthority });
    expect(await ask(listener, certificates.client)).toEqual({ chain: 2, error: null });
    expect(await ask(listener, certificates.clientOfIntermediate)).toEqual({ chain: 3, error: null });
  });

  it('that are absent or not trusted are not passed', async () => {
    const listener = await serve(who, { tls: withAuthority });
    expect(await ask(listener)).toEqual({ chain: null, error: null });
    expect(await ask(listener, certificates.stranger)).toEqual({
      chain: null,
      error: expect.stringMatching(/\w/),
    });
    const forServing = certificates.server;
    expect(await ask(listener, forServing)).toEqual({ chain: null, error: expect.stringMatching(/\w/) });
  });

  it('are not requested without a CA', async () => {
    const listener = await serve(who, { tls });
    expect(await ask(listener, certificates.client)).toEqual({ chain: null, error: null });
  });

  it('are verified once per connection', async () => {
    const seen = new Set<unknown>();
    const listener = await serve(
      async ({ connection }) => {
        seen.add(connection.clientCertificates);
        return plain('');
      },
      { tls: withAuthority },
    );
    const calls = transport({
      tls: { certificateAuthorities: certificates.authority, ...certificates.client },
    });
    for (let i = 0; i < 3; i++) await (await calls.request(listener.url, { method: 'GET' })).body();
    expect(seen.size).toBe(1);
  });

  it('reload for new connections', async () => {
    const listener = await serve(who, { tls });
    const other = { certificate: certificates.stranger.certificate, key: certificates.stranger.key };
    expect(await ask(listener)).toEqual({ chain: null, error: null });
    listener.setCertificate(other);
    const { port } = listener.address as { port: number };
    const name = await new Promise((resolve) => {
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().subject.CN);
        socket.destroy();
      });
    });
    expect(name).toBe('stranger');
    expect(() => listener.setCertificate({ certificate: other.certificate, key: tls.key })).toThrow();
  });

  it('cannot be set without TLS', async () => {
    const listener = await serve(who);
    expect(() => listener.setCertificate(tls)).toThrow(TypeError);
  });
});

describe('a unix socket', () => {
  it('is accessible to its owner only, and replaces a stale one', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'listen-'));
    try {
      const path = join(directory, 'api.sock');
      const first = await listen(async () => plain('first'), { path });
      expect(first.url).toBe(`unix:${path}`);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      await expect(listen(async () => plain('second'), { path })).rejects.toMatchObject({
        code: 'EADDRINUSE',
      });
      const response = await transport({ socketPath: path }).request('http://local/x', { method: 'GET' });
      expect(textOf(await response.body())).toBe('first');
      await first.close({ graceMilliseconds: 0 });

      await leaveSocketBehind(path);
      const second = await serve(async () => plain('second'), { path });
      const again = await transport({ socketPath: path }).request('http://local/x', { method: 'GET' });
      expect(textOf(await again.body())).toBe('second');
      await second.close({ graceMilliseconds: 0 });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('does not replace a file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'listen-'));
    try {
      const path = join(directory, 'data');
      await writeFile(path, 'precious');
      await expect(listen(async () => plain('x'), { path })).rejects.toMatchObject({ code: 'EADDRINUSE' });
      expect(statSync(path).isFile()).toBe(true);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  /** Node unlinks the socket of a server that closes: a hard link preserves the name as a crash would. */
  async function leaveSocketBehind(path: string): Promise<void> {
    const { linkSync, renameSync } = await import('node:fs');
    const server = createNetServer();
    await new Promise<void>((resolve) => server.listen(`${path}.dead`, resolve));
    linkSync(`${path}.dead`, `${path}.kept`);
    await new Promise((resolve) => server.close(resolve));
    renameSync(`${path}.kept`, path);
  }
});

describe('close', () => {
  it('answers requests in flight and closes idle connections', async () => {
    let release: () => void = () => {};
    let asked: () => void = () => {};
    const inFlight = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const listener = await serve(async (request) => {
      if (request.url === '/quick') return plain('quick');
      asked();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return plain('done');
    });
    const idle = openRaw(listener);
    idle.socket.write('GET /quick HTTP/1.1\r\nHost: h\r\n\r\n');
    await idle.until((text) => text.includes('quick'));
    const busy = openRaw(listener);
    busy.socket.write('GET /slow HTTP/1.1\r\nHost: h\r\n\r\n');
    await inFlight;
    const closed = listener.close({ graceMilliseconds: 60_000 });
    await idle.closed();
    release();
    const text = await busy.closed();
    expect(text).toMatch(/connection: close/i);
    expect(text.endsWith('done')).toBe(true);
    await closed;
    const { port } = listener.address as { port: number };
    const refused = await new Promise((resolve) =>
      requestHttp({ port, host: '127.0.0.1' }).on('error', resolve).end(),
    );
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('lets streams end themselves', async () => {
    const listener = await serve(async (request) => ({
      status: 200,
      headers: {},
      body: (sink) => {
        sink.write(bytes('begin '));
        request.signal.addEventListener('abort', () => {
          sink.write(bytes('end'));
          sink.end();
        });
      },
    }));
    const raw = openRaw(listener);
    raw.socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    await raw.until((text) => text.includes('begin'));
    await listener.close({ graceMilliseconds: 60_000 });
    expect((await raw.closed()).endsWith('3\r\nend\r\n0\r\n\r\n')).toBe(true);
  });

  it('resets connections after the grace period', async () => {
    const closes: string[] = [];
    const listener = await serve(async () => ({
      status: 200,
      headers: {},
      body: (sink) => {
        sink.write(bytes('for ever'));
        sink.onClose(() => closes.push('closed'));
      },
    }));
    const raw = openRaw(listener);
    raw.socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    await raw.until((text) => text.includes('for ever'));
    const silent = openRaw(listener);
    await new Promise((resolve) => silent.socket.once('connect', resolve));
    await listener.close({ graceMilliseconds: 10 });
    expect((await raw.closed()).endsWith('0\r\n\r\n')).toBe(false);
    expect(closes).toEqual(['closed']);
    await silent.closed();
  });
});
