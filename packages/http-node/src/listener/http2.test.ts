import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import type { ByteSink, Handler, ServerRequest } from '@ashlar/core';
import { StatusError } from '@ashlar/core';
import { afterEach, describe, expect, it } from 'vitest';
import * as certificates from './certificates.fixture.ts';
import { type Listener, listen } from './listen.ts';
import type { ListenOptions } from './listen-options.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const tls = { certificate: certificates.server.certificate, key: certificates.server.key };

const open: Listener[] = [];
const sessions: ClientHttp2Session[] = [];

async function dial(handler: Handler, options: ListenOptions = {}): Promise<ClientHttp2Session> {
  const listener = await listen(handler, { tls, ...options });
  open.push(listener);
  const { port } = listener.address as { port: number };
  const session = connect(`https://localhost:${port}`, {
    ca: certificates.authority,
    ...certificatesOf(options),
  });
  session.on('error', () => {});
  sessions.push(session);
  return session;
}

function certificatesOf(options: ListenOptions): object {
  if (!options.tls?.clientCertificateAuthorities) return {};
  return { cert: certificates.client.certificate, key: certificates.client.key };
}

interface Answer {
  readonly headers: IncomingHttpHeaders & { readonly ':status'?: number };
  readonly body: Buffer;
}

function ask(
  session: ClientHttp2Session,
  headers: Record<string, string | string[]>,
  body?: Uint8Array,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': '/', ...headers }, { endStream: body === undefined });
    const chunks: Buffer[] = [];
    let answered: IncomingHttpHeaders = {};
    stream.on('response', (received) => {
      answered = received;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve({ headers: answered, body: Buffer.concat(chunks) }));
    stream.on('error', reject);
    if (body) stream.end(body);
  });
}

afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  await Promise.all(open.splice(0).map((listener) => listener.close({ graceMilliseconds: 0 })));
});

describe('HTTP/2', () => {
  it('shares the port with HTTP/1.1, and passes the same request', async () => {
    let seen: ServerRequest | undefined;
    const session = await dial(async (request) => {
      seen = request;
      return { status: 201, headers: { 'x-a': ['1', '2'], connection: 'keep-alive' }, body: bytes('made') };
    });
    const response = await ask(
      session,
      { ':method': 'POST', ':path': '/a?b', 'x-group': ['g', 'h'] },
      bytes('{}'),
    );
    expect(session.alpnProtocol).toBe('h2');
    expect(response.headers).toMatchObject({ ':status': 201, 'content-length': '4', 'x-a': '1, 2' });
    expect(response.body.toString()).toBe('made');
    const request = seen as ServerRequest;
    expect([request.method, request.url]).toEqual(['POST', '/a?b']);
    expect(request.headers.all('X-Group')).toEqual(['g', 'h']);
    expect(request.headers.get('host')).toMatch(/^localhost:\d+$/);
    expect([...request.headers.entries()].some(([name]) => name.startsWith(':'))).toBe(false);
    expect(request.headers.get(':path')).toBeUndefined();
  });

  it('closes the connection after the request that is drawn, and answers those in flight', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const session = await dial(
      async () => {
        await held;
        return { status: 200, headers: {}, body: bytes('done') };
      },
      { goawayChance: 1 },
    );
    const goaway = once(session, 'goaway');
    const responses = [ask(session, {}), ask(session, {})];
    expect((await goaway)[0]).toBe(constants.NGHTTP2_NO_ERROR);
    release();
    const [first, second] = await Promise.allSettled(responses);
    expect(first).toMatchObject({ status: 'fulfilled', value: { headers: { ':status': 200 } } });
    // it was sent before the client knew
    expect(second?.status).toMatch(/^(?:fulfilled|rejected)$/);
    await once(session, 'close');
  });

  it('can be disabled', async () => {
    const session = await dial(async () => ({ status: 200, headers: {} }), { tls: { ...tls, http2: false } });
    const outcome = await new Promise((resolve) => {
      session.once('error', resolve);
      session.once('connect', () => resolve('connected'));
    });
    expect(outcome).toBeInstanceOf(Error);
  });

  it('limits the size of bodies', async () => {
    const session = await dial(async (request) => {
      try {
        return { status: 200, headers: {}, body: bytes(String((await request.body(1000)).length)) };
      } catch (error) {
        const { code, message } = StatusError.from(error);
        return { status: code, headers: {}, body: bytes(message) };
      }
    });
    const post = { ':method': 'POST' };
    expect((await ask(session, post, new Uint8Array(1000))).body.toString()).toBe('1000');
    expect((await ask(session, { ':method': 'GET' })).body.toString()).toBe('0');
    const refused = await ask(session, post, new Uint8Array(500_000));
    expect(refused.headers[':status']).toBe(413);
    expect(refused.body.toString()).toBe('Request entity too large: limit is 1000');
    const announced = await ask(session, { ...post, 'content-length': '500000' }, new Uint8Array(500_000));
    expect(announced.headers[':status']).toBe(413);
    // the connection stays open
    expect((await ask(session, post, new Uint8Array(10))).body.toString()).toBe('10');
  });

  it('sends long bodies in pieces, and no body for HEAD', async () => {
    const pieces = Array.from({ length: 2000 }, (_, i) => new Uint8Array(i % 900).fill(i % 251));
    const session = await dial(async () => ({ status: 200, headers: {}, body: pieces }));
    const whole = Buffer.concat(pieces);
    const response = await ask(session, { ':method': 'GET' });
    expect(response.body.equals(whole)).toBe(true);
    expect(response.headers['content-length']).toBe(String(whole.length));
    const head = await ask(session, { ':method': 'HEAD' });
    expect(head.body.length).toBe(0);
    expect(head.headers['content-length']).toBe(String(whole.length));
  });

  it('streams, and aborts when the reader disconnects', async () => {
    const events: string[] = [];
    const session = await dial(async (request) => ({
      status: 200,
      headers: {},
      body: (sink) => {
        request.signal.addEventListener('abort', () => events.push('aborted'));
        sink.onClose(() => events.push('closed'));
        sink.write(bytes('one '));
        setTimeout(() => sink.write(bytes('two')), 10);
      },
    }));
    const stream = session.request({ ':path': '/' });
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    await expect.poll(() => text).toBe('one two');
    stream.close();
    await expect.poll(() => events.toSorted()).toEqual(['aborted', 'closed']);
  });

  it('sends what a request writes to a stream before its own response, and before the head of it', async () => {
    let sink: ByteSink | undefined;
    const session = await dial(async ({ method }) => {
      if (method === 'PUT') sink?.write(bytes('event'));
      return {
        status: 200,
        headers: {},
        body:
          method === 'PUT'
            ? bytes('response')
            : (opened) => {
                sink = opened;
              },
      };
    });
    const order: string[] = [];
    const stream = session.request({ ':path': '/' });
    stream.on('data', (chunk: Buffer) => order.push(chunk.toString()));
    await expect.poll(() => sink).toBeDefined();
    const writing = session.request({ ':path': '/', ':method': 'PUT' });
    writing.on('response', () => order.push('head'));
    writing.on('data', (chunk: Buffer) => order.push(chunk.toString()));
    await once(writing, 'end');
    expect(order).toEqual(['event', 'head', 'response']);
  });

  it('responds if a handler fails', async () => {
    const errors: unknown[] = [];
    const session = await dial(
      async () => {
        throw new Error('boom');
      },
      { onError: (error) => errors.push(error) },
    );
    const response = await ask(session, { ':method': 'GET' });
    expect(response.headers[':status']).toBe(500);
    expect(errors.map(String)).toEqual(['Error: boom']);
  });

  it('passes the certificate of the client', async () => {
    const session = await dial(
      async ({ connection }) => ({
        status: 200,
        headers: {},
        body: bytes(String(connection.clientCertificates?.length)),
      }),
      { tls: { ...tls, clientCertificateAuthorities: certificates.authority } },
    );
    expect((await ask(session, { ':method': 'GET' })).body.toString()).toBe('2');
  });

  it('completes requests in flight when the listener closes', async () => {
    let release: (() => void) | undefined;
    const session = await dial(async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return { status: 200, headers: {}, body: bytes('done') };
    });
    const response = ask(session, { ':method': 'GET' });
    await expect.poll(() => release).toBeDefined();
    const closed = open[0]?.close({ graceMilliseconds: 60_000 });
    release?.();
    expect((await response).body.toString()).toBe('done');
    await closed;
  });
});

/** A frame of a length below 256. */
const frame = (type: number, flags: number, payload: readonly number[], stream = 1): Buffer =>
  Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, stream, ...payload]);

describe('bodies in small frames', () => {
  it('end the session, though nobody reads them', async () => {
    const listener = await listen(() => new Promise<never>(() => {}), { tls });
    open.push(listener);
    const { port } = listener.address as { port: number };
    const socket = connectTls({ port, ca: certificates.authority, ALPNProtocols: ['h2'], host: 'localhost' });
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => {});
    // `:method POST`, `:scheme https`, `:path /` and the name `:authority` of the static table
    const head = frame(1, 4, [0x83, 0x87, 0x84, 0x41, 1, 104]);
    const piece = frame(0, 0, [120]);
    const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      Buffer.concat([preface, frame(4, 0, [], 0), head, ...new Array<Buffer>(30_000).fill(piece)]),
    );
    await ended;
    const frames = Buffer.concat(received);
    const goAway = frames.indexOf(Buffer.from([0, 0, 8, 7, 0, 0, 0, 0, 0]));
    // Node 24 closes the connection before it has sent why
    const reason = goAway < 0 ? undefined : frames[goAway + 16];
    expect([constants.NGHTTP2_ENHANCE_YOUR_CALM, undefined]).toContain(reason);
  });
});
