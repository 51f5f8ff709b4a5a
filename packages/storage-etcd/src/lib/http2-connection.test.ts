import {
  constants,
  createServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from 'node:http2';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { Http2Connection } from './http2-connection.ts';
import { FrameType, toHttp2Frame } from './http2-frames.ts';
import type { Http2Stream, StreamFailure } from './http2-stream.ts';

/** What came of one request. */
interface Exchange {
  readonly stream: Http2Stream;
  readonly headers: Record<string, unknown>[];
  readonly bytes: () => Buffer;
  readonly closed: () => number;
  readonly outcome: Promise<'ended' | StreamFailure>;
}

function ask(connection: Http2Connection, path: string, body?: Uint8Array): Exchange {
  const headers: Record<string, unknown>[] = [];
  const chunks: Buffer[] = [];
  let closed = 0;
  let stream: Http2Stream | undefined;
  const outcome = new Promise<'ended' | StreamFailure>((resolve) => {
    const observer = {
      headers: (fields: object) => void headers.push({ ...fields }),
      data: (bytes: Buffer) => void chunks.push(Buffer.from(bytes)),
      end: () => resolve('ended'),
      lost: resolve,
    };
    stream = connection.request([[':path', path]], observer, () => void closed++);
  });
  if (!stream) throw new Error('the connection takes no more streams');
  if (body) stream.end(body);
  return { stream, headers, bytes: () => Buffer.concat(chunks), closed: () => closed, outcome };
}

/** A server that Node has made, and a connection of ours to it. */
async function withServer(
  settings: Settings,
  answer: (stream: ServerHttp2Stream, path: string) => void,
  work: (connection: Http2Connection, sessions: ServerHttp2Session[]) => Promise<void>,
): Promise<void> {
  const sessions: ServerHttp2Session[] = [];
  const server = createServer({ settings });
  server.on('session', (session) => sessions.push(session));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    answer(stream, String(headers[':path']));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connection = await connectTo((server.address() as AddressInfo).port);
  await work(connection, sessions);
  connection.destroy();
  for (const session of sessions) session.destroy();
  await new Promise((resolve) => server.close(resolve));
}

async function connectTo(port: number): Promise<Http2Connection> {
  const endpoint = new URL(`http://127.0.0.1:${port}`);
  const socket = Http2Connection.connect(endpoint, undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  return new Http2Connection(socket, endpoint);
}

/** Says what it heard. */
function echo(stream: ServerHttp2Stream): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.pipe(stream);
}

const random = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, i) => (i * 31) % 251));

describe('a connection of HTTP/2', () => {
  test('carries many streams at once, with headers, data and trailers', async () => {
    await withServer({}, echo, async (connection) => {
      const bodies = Array.from({ length: 200 }, (_, i) => random(i * 7));
      const asked = bodies.map((body, i) => ask(connection, `/${i % 10}`, body));
      for (const [i, one] of asked.entries()) {
        expect(await one.outcome).toBe('ended');
        expect(one.bytes().equals(bodies[i] as Buffer)).toBe(true);
        expect(one.headers).toMatchObject([
          { ':status': '200', 'content-type': 'application/grpc' },
          { 'grpc-status': '0' },
        ]);
        expect(one.closed()).toBe(1);
      }
    });
  });

  test.each([
    ['small windows', { initialWindowSize: 1000 }],
    ['no table for headers', { headerTableSize: 0 }],
    ['one stream at a time', { maxConcurrentStreams: 1 }],
    ['large frames', { maxFrameSize: 1 << 20 }],
  ])('keeps to what the other side wants: %s', async (_, settings) => {
    await withServer(settings, echo, async (connection) => {
      // the settings are known behind the first answer
      await ask(connection, '/', random(1)).outcome;
      const large = random(3_000_000);
      const asked = [large, random(10), large, random(0)].map((body) => ({
        body,
        one: ask(connection, '/x', body),
      }));
      for (const { body, one } of asked) {
        expect(await one.outcome).toBe('ended');
        expect(one.bytes().equals(body)).toBe(true);
      }
    });
  });

  test('takes more than its windows hold, on one stream and in all', async () => {
    const large = random(5_000_000);
    const send = (stream: ServerHttp2Stream): void => {
      stream.respond({ ':status': 200 });
      for (let i = 0; i < 8; i++) stream.write(large);
      stream.end();
    };
    await withServer({}, send, async (connection) => {
      const one = ask(connection, '/', random(1));
      expect(await one.outcome).toBe('ended');
      expect(one.bytes().length).toBe(8 * large.length);
    });
  });

  test('takes headers that need several frames', async () => {
    const value = 'x'.repeat(40_000);
    const send = (stream: ServerHttp2Stream): void => {
      stream.respond({ ':status': 200, 'x-long': value });
      stream.end();
    };
    await withServer({}, send, async (connection) => {
      const one = ask(connection, '/', random(1));
      expect(await one.outcome).toBe('ended');
      expect(one.headers[0]?.['x-long']).toBe(value);
    });
  });

  test('answers pings, and asks with them', async () => {
    await withServer({}, echo, async (connection, sessions) => {
      expect(await new Promise((resolve) => connection.ping(resolve))).toBeUndefined();
      await new Promise((resolve) => sessions[0]?.ping((error) => resolve(error)));
    });
  });

  test('tells what was refused unread from what was lost', async () => {
    const reset = (stream: ServerHttp2Stream, path: string): void =>
      stream.close(path === '/refused' ? constants.NGHTTP2_REFUSED_STREAM : constants.NGHTTP2_INTERNAL_ERROR);
    await withServer({}, reset, async (connection) => {
      expect(await ask(connection, '/refused', random(1)).outcome).toMatchObject({ unprocessed: true });
      expect(await ask(connection, '/lost', random(1)).outcome).toMatchObject({ unprocessed: false });
    });
  });

  test('gives streams up', async () => {
    let heard: (code: number) => void;
    const code = new Promise<number>((resolve) => {
      heard = resolve;
    });
    const listen = (stream: ServerHttp2Stream): void =>
      void stream.on('close', () => heard(stream.rstCode)).resume();
    await withServer({}, listen, async (connection) => {
      const one = ask(connection, '/');
      one.stream.write(random(5));
      one.stream.cancel();
      expect([await code, one.closed()]).toEqual([constants.NGHTTP2_CANCEL, 1]);
    });
  });

  test('ends what is open when it is told that the other side goes, and takes nothing new', async () => {
    await withServer({}, echo, async (connection, sessions) => {
      await ask(connection, '/', random(1)).outcome;
      const open = ask(connection, '/');
      open.stream.write(random(5));
      // the other side has seen it
      await new Promise((resolve) => connection.ping(resolve));
      const gone = new Promise<void>((resolve) => {
        connection.lost = resolve;
      });
      sessions[0]?.close();
      await gone;
      expect(connection.request([[':path', '/']], neverCalled, () => {})).toBeUndefined();
      open.stream.end(random(5));
      expect(await open.outcome).toBe('ended');
      expect(open.bytes().length).toBe(10);
    });
  });

  test('loses all that is open with its socket', async () => {
    const silent = (): void => {};
    await withServer({}, silent, async (connection, sessions) => {
      const asked = [ask(connection, '/', random(1)), ask(connection, '/', random(1))];
      const answered = new Promise((resolve) => connection.ping(resolve));
      await answered;
      for (const session of sessions) session.destroy();
      for (const one of asked) {
        expect(await one.outcome).toMatchObject({ unprocessed: false });
        expect(one.closed()).toBe(1);
      }
    });
  });
});

const neverCalled = {
  headers: () => expect.unreachable(),
  data: () => expect.unreachable(),
  end: () => expect.unreachable(),
  lost: () => expect.unreachable(),
};

test.each([
  ['a page of the web', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['a push', toHttp2Frame(FrameType.push, 4, 1, Buffer.alloc(8))],
  ['headers that are none', toHttp2Frame(FrameType.headers, 4, 1, Buffer.from([0xff]))],
  ['a continuation of nothing', toHttp2Frame(FrameType.continuation, 4, 1, Buffer.alloc(0))],
  ['a reset that is cut off', toHttp2Frame(FrameType.reset, 0, 1, Buffer.alloc(1))],
])('a side that answers with %s is left', async (_, bytes) => {
  const server = createPlainServer((socket) => {
    socket.on('error', () => {}).resume();
    socket.write(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connection = await connectTo((server.address() as AddressInfo).port);
  expect(await ask(connection, '/', Buffer.from('x')).outcome).toMatchObject({ unprocessed: false });
  expect(connection.isDestroyed).toBe(true);
  await new Promise((resolve) => server.close(resolve));
});
