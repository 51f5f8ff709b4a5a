import { once } from 'node:events';
import type { Handler, MessageSocket, ServerRequest, ServerResponse } from '@ashlar/core';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import * as certificates from './certificates.fixture.ts';
import { type Listener, listen } from './listen.ts';
import type { ListenOptions } from './listen-options.ts';
import { openRaw } from './raw-http.fixture.ts';

const tls = { certificate: certificates.server.certificate, key: certificates.server.key };
const open: Listener[] = [];
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close({ graceMilliseconds: 0 })));
});

async function serve(handler: Handler, options: ListenOptions = {}): Promise<Listener> {
  const listener = await listen(handler, options);
  open.push(listener);
  return listener;
}

/** Accepts every offer; sockets are in the order of their requests. */
async function serveSockets(
  options: ListenOptions = {},
  choose: (request: ServerRequest) => Partial<ServerResponse['upgrade']> = () => ({}),
): Promise<{ listener: Listener; next(): Promise<MessageSocket> }> {
  const sockets: MessageSocket[] = [];
  const waiting: ((socket: MessageSocket) => void)[] = [];
  const listener = await serve(async (request) => {
    const open = (socket: MessageSocket): void => {
      const wait = waiting.shift();
      if (wait) wait(socket);
      else sockets.push(socket);
    };
    return { status: 101, headers: {}, upgrade: { open, ...choose(request) } };
  }, options);
  const next = (): Promise<MessageSocket> =>
    new Promise((resolve) => {
      const ready = sockets.shift();
      if (ready) resolve(ready);
      else waiting.push(resolve);
    });
  return { listener, next };
}

function connect(listener: Listener, protocols: readonly string[] = []): WebSocket {
  const url = listener.url.replace(/^http/, 'ws');
  return new WebSocket(`${url}/a?b=c`, protocols, { ca: certificates.authority });
}

/** All messages until the connection is closed, and its code. */
async function received(client: WebSocket): Promise<readonly unknown[]> {
  const messages: unknown[] = [];
  client.on('message', (data: Buffer, isBinary: boolean) =>
    messages.push(isBinary ? [...data] : data.toString()),
  );
  const [code] = await once(client, 'close');
  return [...messages, code];
}

describe.each([
  ['plain', {}],
  ['TLS', { tls }],
] as const)('a WebSocket over %s', (_, options) => {
  it('sends texts and bytes, in order, and closes', async () => {
    const { listener, next } = await serveSockets(options);
    const client = connect(listener);
    const messages = received(client);
    const socket = await next();
    expect(socket.send(bytes('ä'), 'text')).toBe(true);
    socket.send(Uint8Array.of(1, 255), 'binary');
    socket.send(bytes(''), 'text');
    socket.close();
    expect(await messages).toEqual(['ä', [1, 255], '', 1000]);
  });

  it('receives from the client', async () => {
    const { listener, next } = await serveSockets(options);
    const client = connect(listener);
    const socket = await next();
    const received: unknown[] = [];
    socket.onMessage((message, kind) => received.push([kind, ...message]));
    await once(client, 'open');
    client.send(bytes('a'), { binary: false });
    client.send(Uint8Array.of(0), { binary: true });
    client.close();
    await new Promise<void>((resolve) => socket.onClose(resolve));
    expect(received).toEqual([
      ['text', 97],
      ['binary', 0],
    ]);
    expect(socket.send(bytes('late'), 'text')).toBe(false);
    await new Promise<void>((resolve) => socket.onClose(resolve));
  });
});

describe('the handshake', () => {
  it('passes the offered sub-protocols and sends the chosen one', async () => {
    const offers: unknown[] = [];
    const { listener } = await serveSockets({}, (request) => {
      offers.push(request.webSocket?.protocols, request.url);
      return { protocol: 'b' };
    });
    const client = connect(listener, ['a', 'b']);
    await once(client, 'open');
    expect([client.protocol, offers]).toEqual(['b', [['a', 'b'], '/a?b=c']]);
    client.terminate();
  });

  it('is rejected if invalid', async () => {
    const { listener } = await serveSockets();
    const raw = openRaw(listener);
    raw.socket.write('GET / HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n');
    expect(await raw.until((text) => text.includes('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('does not happen if the handler responds otherwise', async () => {
    const listener = await serve(async () => ({ status: 404, headers: { a: 'b' }, body: bytes('no') }), {
      tls,
    });
    const client = connect(listener);
    const [, response] = await once(client, 'unexpected-response');
    expect([response.statusCode, response.headers.a, response.headers.connection]).toEqual([
      404,
      'b',
      'close',
    ]);
    response.resume();
  });

  it('does not happen if the handler fails', async () => {
    const faults: unknown[] = [];
    const fault = new Error('a');
    const listener = await serve(() => Promise.reject(fault), { onError: (error) => faults.push(error) });
    const [, response] = await once(connect(listener), 'unexpected-response');
    expect([response.statusCode, faults]).toEqual([500, [fault]]);
  });

  it('is for WebSockets only: other protocols are ignored, and bodies are read', async () => {
    const listener = await serve(async (request) => ({
      status: 200,
      headers: { 'x-offer': String(request.webSocket) },
      body: await request.body(100),
    }));
    const raw = openRaw(listener);
    const head =
      'POST / HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 4\r\n\r\n';
    raw.socket.write(`${head}body`);
    expect(await raw.until((text) => text.endsWith('body'))).toMatch(/^HTTP\/1\.1 200 .*x-offer: undefined/s);
    raw.socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(await raw.until((text) => text.match(/200 OK/g)?.length === 2)).toBeTruthy();
    raw.socket.destroy();
  });
});

describe('a pipelined request for another protocol', () => {
  const head = 'Host: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n';
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

  it.each([
    ['refused', '', /^HTTP\/1\.1 200 .*firstHTTP\/1\.1 200 .*secondHTTP\/1\.1 404 .*third$/s],
    ['accepted', key, /^HTTP\/1\.1 200 .*firstHTTP\/1\.1 200 .*secondHTTP\/1\.1 101 .*\r\n\r\n/s],
  ])('is handled after the responses to those before it: %s', async (_what, more, expected) => {
    const seen: string[] = [];
    const release: (() => void)[] = [];
    const listener = await serve(async ({ url, webSocket }) => {
      seen.push(url);
      if (!webSocket) await new Promise<void>((resolve) => release.push(resolve));
      if (more && webSocket) return { status: 101, headers: {}, upgrade: { open: () => {} } };
      return { status: webSocket ? 404 : 200, headers: {}, body: bytes(url.slice(1)) };
    });
    const raw = openRaw(listener);
    const plain = (path: string): string => `GET /${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
    raw.socket.write(`${plain('first')}${plain('second')}GET /third HTTP/1.1\r\n${head}${more}\r\n`);
    await expect.poll(() => release.length).toBe(2);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(['/first', '/second']);
    for (const end of release) end();
    expect(await raw.until((text) => expected.test(text))).toMatch(expected);
    raw.socket.destroy();
  });

  it('is ignored after the last response of a connection, and if the client leaves', async () => {
    const seen: string[] = [];
    const listener = await serve(({ url, signal }) => {
      seen.push(url);
      return new Promise((resolve) => {
        const ended = (): void => resolve({ status: 200, headers: {}, body: bytes('late') });
        if (url === '/waits') signal.addEventListener('abort', ended);
        else ended();
      });
    });
    const leaving = openRaw(listener);
    leaving.socket.write(`GET /waits HTTP/1.1\r\nHost: h\r\n\r\nGET /third HTTP/1.1\r\n${head}\r\n`);
    await expect.poll(() => seen).toEqual(['/waits']);
    leaving.socket.destroy();
    const last = openRaw(listener);
    last.socket.write(`GET /a HTTP/1.1\r\n\r\nGET /third HTTP/1.1\r\n${head}\r\n`);
    expect((await last.closed()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(seen).toEqual(['/waits']);
  });

  it('is answered with an error if its response cannot be sent', async () => {
    const faults: unknown[] = [];
    const response = { status: 200, headers: { a: 'b\n' }, body: bytes('no') };
    const listener = await serve(async () => response, { onError: (error) => faults.push(error) });
    const raw = openRaw(listener);
    raw.socket.write(`GET / HTTP/1.1\r\n${head}\r\n`);
    expect(await raw.closed()).toMatch(/^HTTP\/1\.1 500 /);
    expect(faults).toHaveLength(1);
  });
});

describe('a slow reader', () => {
  it('is reported, and its end', async () => {
    const { listener, next } = await serveSockets({ sinkHighWaterMark: 100_000 });
    const client = connect(listener);
    const socket = await next();
    await once(client, 'open');
    client.pause();
    let sent = 0;
    while (socket.send(new Uint8Array(50_000), 'binary') && sent < 1000) {
      sent++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(1000);
    expect(socket.buffered).toBeGreaterThan(100_000);
    const drained = new Promise<void>((resolve) => socket.onDrain(resolve));
    client.resume();
    await drained;
    expect(socket.buffered).toBe(0);
    socket.destroy();
    await new Promise<void>((resolve) => socket.onClose(resolve));
  });
});

describe('closing the listener', () => {
  it('notifies open WebSockets, so that they can end', async () => {
    let signal: AbortSignal | undefined;
    const { listener, next } = await serveSockets({}, (request) => {
      signal = request.signal;
      return {};
    });
    const client = connect(listener);
    const messages = received(client);
    const socket = await next();
    signal?.addEventListener('abort', () => socket.close(1001));
    await listener.close();
    expect(await messages).toEqual([1001]);
  });

  it('resets those that continue after the grace period', async () => {
    const { listener, next } = await serveSockets();
    const messages = received(connect(listener));
    await next();
    await listener.close({ graceMilliseconds: 10 });
    expect(await messages).toEqual([1006]);
  });
});
