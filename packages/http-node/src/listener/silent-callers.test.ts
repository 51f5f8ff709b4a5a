import { connect as connectHttp2 } from 'node:http2';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Handler, type ServerResponse, StatusError } from '@ashlar/core';
import { afterEach, describe, expect, it } from 'vitest';
import * as certificates from './certificates.fixture.ts';
import { type Listener, listen } from './listen.ts';
import type { ListenOptions } from './listen-options.ts';
import { openRaw } from './raw-http.fixture.ts';

const tls = certificates.server;
let listener: Listener | undefined;
const sockets: Socket[] = [];

async function serve(handler: Handler, options: ListenOptions = {}): Promise<number> {
  listener = await listen(handler, options);
  return (listener.address as { port: number }).port;
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener?.close({ graceMilliseconds: 0 });
});

const plain = (status: number, text: string): ServerResponse => ({
  status,
  headers: {},
  body: new TextEncoder().encode(text),
});

/** Resolves when the peer has closed. */
function closed(socket: Socket): Promise<void> {
  sockets.push(socket);
  socket.on('error', () => {}).resume();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** A peer that never closes detects the end by sending. */
async function closedThoughItGoesOn(socket: Socket, text: string): Promise<void> {
  const sending = setInterval(() => socket.write(text), 20);
  await closed(socket);
  clearInterval(sending);
}

describe('a connection', () => {
  it('is closed if its handshake does not end, even if bytes keep arriving', async () => {
    const port = await serve(async () => plain(200, ''), { tls, handshakeMilliseconds: 200 });
    const silent = connectPlain({ port, host: '127.0.0.1' });
    const slow = connectPlain({ port, host: '127.0.0.1' });
    slow.write(Buffer.from([0x16, 3, 1, 1, 0, 1, 0, 0, 0xfc, 3, 3]));
    const bytes = setInterval(() => slow.write(Buffer.from([0])), 20);
    await Promise.all([closed(silent), closed(slow)]);
    clearInterval(bytes);
  });

  it('is closed if it sends no TLS to a TLS port', async () => {
    const port = await serve(async () => plain(200, ''), { tls, handshakeMilliseconds: 3_600_000 });
    const socket = connectPlain({ port, host: '127.0.0.1', allowHalfOpen: true });
    await closedThoughItGoesOn(socket, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  });

  it('is closed after bytes that are not a request, even if the client keeps it open', async () => {
    const port = await serve(async () => plain(200, ''));
    const socket = connectPlain({ port, host: '127.0.0.1', allowHalfOpen: true });
    await closedThoughItGoesOn(socket, 'nonsense\r\n\r\n');
  });

  it('is closed if HTTP/2 was negotiated and not used', async () => {
    const port = await serve(async () => plain(200, ''), { tls, keepAliveMilliseconds: 100 });
    const options = { port, host: '127.0.0.1', servername: 'localhost', ca: certificates.authority };
    await closed(connectTls({ ...options, ALPNProtocols: ['h2'] }));
  });

  it('is closed if it sends pings and no requests', async () => {
    const port = await serve(async () => plain(200, ''), { tls, keepAliveMilliseconds: 300 });
    const session = connectHttp2(`https://localhost:${port}`, { ca: certificates.authority });
    session.on('error', () => {});
    const pings = setInterval(() => session.destroyed || session.ping(() => {}), 50);
    await new Promise((resolve) => session.once('close', resolve));
    clearInterval(pings);
  });

  it('stays open while it has an open stream, and is closed after the last', async () => {
    const port = await serve(
      async () => ({ status: 200, headers: {}, body: (sink) => void sink.write(Buffer.from('a')) }),
      { tls, keepAliveMilliseconds: 1000 },
    );
    const session = connectHttp2(`https://localhost:${port}`, { ca: certificates.authority });
    const stream = session.request({ ':path': '/' });
    await new Promise((resolve) => stream.once('data', resolve));
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(session.closed).toBe(false);
    stream.close();
    await new Promise((resolve) => session.once('close', resolve));
  });
});

describe('a body that never arrives', () => {
  /** Results of reading the bodies. */
  let outcomes: unknown[] = [];
  const reading: Handler = async (request) => {
    try {
      await request.body(1000);
      return plain(200, 'read');
    } catch (error) {
      outcomes.push(error);
      return plain(StatusError.is(error) ? error.code : 500, String(error));
    }
  };
  /** Responds without waiting for the body that it reads, as after a deadline. */
  const impatient: Handler = async (request) => {
    void reading(request);
    return plain(504, 'late');
  };
  afterEach(() => {
    outcomes = [];
  });

  it.each(['Content-Length: 10', 'Transfer-Encoding: chunked'])(
    'times out, and its connection is closed: %s',
    async (line) => {
      await serve(reading, { bodySilenceMilliseconds: 50 });
      const raw = openRaw(listener as Listener);
      raw.socket.write(`POST / HTTP/1.1\r\nHost: h\r\n${line}\r\n\r\n`);
      expect(await raw.closed()).toMatch(
        /^HTTP\/1\.1 408 [\s\S]*no part of the body of the request arrived for 0.05 s/,
      );
    },
  );

  it.each(['Content-Length: 10', 'Transfer-Encoding: chunked'])(
    'is cancelled by the response, and its connection closed: %s',
    async (line) => {
      await serve(impatient);
      const raw = openRaw(listener as Listener);
      raw.socket.write(`POST / HTTP/1.1\r\nHost: h\r\n${line}\r\n\r\n`);
      expect(await raw.closed()).toMatch(/^HTTP\/1\.1 504 [\s\S]*late$/);
      expect(outcomes.map(String)).toEqual(['Error: the request was answered before its body had arrived']);
    },
  );

  it('is cancelled by the response over HTTP/2, and its stream closed', async () => {
    const port = await serve(impatient, { tls });
    const session = connectHttp2(`https://localhost:${port}`, { ca: certificates.authority });
    const stream = session.request({ ':path': '/', ':method': 'POST' }, { endStream: false });
    let status: unknown;
    stream.on('response', (headers) => {
      status = headers[':status'];
    });
    stream.resume();
    await new Promise((resolve) => stream.once('close', resolve));
    expect([status, stream.rstCode]).toEqual([504, 0]);
    expect(outcomes.map(String)).toEqual(['Error: the request was answered before its body had arrived']);
    // the connection accepts other requests
    const next = session.request({ ':path': '/', ':method': 'POST' });
    expect(
      await new Promise((resolve) => next.on('response', (headers) => resolve(headers[':status']))),
    ).toBe(504);
    session.destroy();
  });
});
