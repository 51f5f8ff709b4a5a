import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ByteConnection, ForwardedCall } from '@ashlar/core';
import { afterEach, describe, expect, it } from 'vitest';
import { createNodeTransport, type NodeTransport } from './node-transport.ts';
import { ca, transportTests } from './transport.fixture.ts';

const { serve, opened } = transportTests();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString();
const transport = (): NodeTransport => opened(createNodeTransport({ tls: ca }));
const call = (changes: Partial<ForwardedCall> = {}): ForwardedCall => ({
  method: 'GET',
  target: '/a',
  headers: [],
  ...changes,
});
const servers: { close(): void }[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server of bare sockets, which receives every request and does as it likes. */
async function serveRaw(response: (socket: Socket, request: string) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => response(socket, data.toString('latin1')));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return text(pieces);
}

async function inCapitals(connection: ByteConnection): Promise<void> {
  await connection.send(bytes('hello '));
  for await (const piece of connection.receive()) await connection.send(bytes(text([piece]).toUpperCase()));
}

describe('a response in chunks', () => {
  it('is not read further before its turn, over a reused connection either', async () => {
    const waiting: (() => void)[] = [];
    const turns = {
      requestBegan: () => {},
      atEndOfTurn: () => {},
      pause: () => new Promise<void>((resume) => void waiting.push(resume)),
    };
    const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    const connections = new Set<Socket>();
    let current: Socket | undefined;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => {
        connections.add(socket);
        current = socket;
        socket.write(`${HEAD}1\r\na\r\n`);
      });
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const pacing = transport();
    const first = await pacing.forward?.(url, call({ turns }));
    expect(waiting).toHaveLength(1);
    let body = '';
    const reading = (async () => {
      for await (const piece of first?.stream() ?? []) body += text([piece]);
    })();
    current?.write('1\r\nb\r\n0\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(body).toBe('a');
    waiting.shift()?.();
    await reading;
    expect(body).toBe('ab');
    // what follows takes long to be used
    const second = await pacing.forward?.(url, call({ turns }));
    expect([connections.size, waiting.length]).toEqual([1, 0]);
    const incoming = second?.stream() as Readable;
    incoming.on('data', () => {
      for (const end = performance.now() + 5; performance.now() < end; );
    });
    current?.write('1\r\nb\r\n');
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    current?.destroy();
    waiting.shift()?.();
  });
});

describe('a forwarded call', () => {
  it('sends target and header lines as they are', async () => {
    let seen = '';
    const url = await serveRaw((socket, request) => {
      seen = request;
      socket.end('HTTP/1.1 200 OK\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok');
    });
    const response = await transport().forward?.(
      url,
      call({
        target: '/a/../b//c?x=%20',
        headers: [
          ['host', 'h'],
          ['x-many', '1'],
          ['x-many', '2'],
        ],
      }),
    );
    expect(seen).toBe('GET /a/../b//c?x=%20 HTTP/1.1\r\nhost: h\r\nx-many: 1\r\nx-many: 2\r\n\r\n');
    expect(response?.headers).toEqual([
      ['set-cookie', 'a'],
      ['set-cookie', 'b'],
      ['content-length', '2'],
    ]);
    expect(await readAll(response?.stream() as AsyncIterable<Uint8Array>)).toBe('ok');
  });

  it('streams the body, which the other server receives piece by piece', async () => {
    const url = await serve(async (request) => {
      const pieces: string[] = [];
      for await (const piece of request.bodyStream?.() ?? []) pieces.push(text([piece]));
      return { status: 200, headers: {}, body: bytes(pieces.join('|')) };
    });
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    async function* body() {
      yield bytes('one');
      await gate;
      yield bytes('two');
    }
    const pending = transport().forward?.(
      url,
      call({ method: 'POST', headers: [['host', 'h']], body: body() }),
    );
    setTimeout(go, 50);
    expect(await readAll((await pending)?.stream() as AsyncIterable<Uint8Array>)).toBe('one|two');
  });

  it.each([
    ['longer', '2'],
    ['shorter', '5'],
  ])('fails where the body is %s than it says', async (difference, length) => {
    const requests: string[] = [];
    const url = await serveRaw((socket, request) => {
      requests.push(request);
      socket.once('data', (data) => requests.push(data.toString()));
    });
    async function* body() {
      yield bytes('GET');
    }
    const headers = [
      ['host', 'h'],
      ['content-length', length],
    ] as const;
    const sent = transport().forward?.(url, call({ method: 'DELETE', headers, body: body() }));
    await expect(sent).rejects.toThrow(`${difference} than it says`);
    if (difference === 'longer') expect(requests.join('')).not.toContain('GET');
  });

  it('frames a body of unknown length, whatever the method', async () => {
    const url = await serve(async (request) => ({
      status: 200,
      headers: {},
      body: bytes(`${request.headers.get('transfer-encoding')} ${text([await request.body(100)])}`),
    }));
    async function* body() {
      yield bytes('abc');
    }
    const response = await transport().forward?.(
      url,
      call({ method: 'DELETE', headers: [['host', 'h']], body: body() }),
    );
    expect(await readAll(response?.stream() as AsyncIterable<Uint8Array>)).toBe('chunked abc');
  });

  it.each(['a\r\nx-remote-user: root', 'a\0'])('refuses the header value %j', async (value) => {
    const url = await serve(() => ({ status: 200, headers: {} }));
    const headers = [
      ['host', 'h'],
      ['x-remote-user', value],
    ] as const;
    await expect(transport().forward?.(url, call({ headers }))).rejects.toThrow(
      'Invalid character in header',
    );
  });

  it('fails with its body', async () => {
    const url = await serve(async (request) => {
      for await (const _ of request.bodyStream?.() ?? []);
      return { status: 200, headers: {} };
    });
    // biome-ignore lint/correctness/useYield: it fails before
    async function* body(): AsyncGenerator<Uint8Array> {
      throw new Error('the caller went away');
    }
    await expect(
      transport().forward?.(url, call({ method: 'POST', headers: [['host', 'h']], body: body() })),
    ).rejects.toThrow('the caller went away');
  });

  it('reads the response as fast as its reader', async () => {
    let sent = 0;
    const url = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = (): void => {
        if (socket.destroyed) return;
        sent += 65_536;
        if (socket.write(Buffer.alloc(65_536))) setImmediate(more);
        else socket.once('drain', more);
      };
      more();
    });
    const leave = new AbortController();
    const response = await transport().forward?.(
      url,
      call({ headers: [['host', 'h']], signal: leave.signal }),
    );
    for await (const _ of response?.stream() ?? []) break;
    // what stands in buffers of sockets is bounded, whatever the other server wants to send
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    leave.abort();
  });

  it('fails where the response is shorter than it says', async () => {
    const url = await serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'));
    const response = await transport().forward?.(url, call({ headers: [['host', 'h']] }));
    await expect(readAll(response?.stream() as AsyncIterable<Uint8Array>)).rejects.toThrow('aborted');
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9\r\n'],
    ['half a header', 'HTTP/1.1 200 OK\r\nX-A'],
    ['a header without end', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(70_000)}`],
    ['nothing', ''],
  ])('fails on %s', async (_, sent) => {
    const url = await serveRaw((socket) => socket.end(sent));
    await expect(transport().forward?.(url, call({ headers: [['host', 'h']] }))).rejects.toThrow();
  });

  it('hands over a connection that switches protocols, in both directions', async () => {
    const url = await serve((request) => ({
      status: 101,
      headers: { connection: 'Upgrade', upgrade: request.upgrade?.protocol ?? '' },
      switchProtocols: (connection) => void inCapitals(connection).catch(() => connection.destroy()),
    }));
    const response = await transport().forward?.(
      url,
      call({
        headers: [
          ['host', 'h'],
          ['connection', 'Upgrade'],
          ['upgrade', 'SPDY/3.1'],
        ],
        switchesProtocols: true,
      }),
    );
    expect(response?.status).toBe(101);
    expect(response?.headers).toContainEqual(['upgrade', 'SPDY/3.1']);
    const { connection } = response as Required<NonNullable<typeof response>>;
    const closed = new Promise<void>((resolve) => connection.onClose(resolve));
    await connection.send(bytes('ping'));
    let heard = '';
    for await (const piece of connection.receive()) {
      heard += text([piece]);
      if (heard === 'hello PING') break;
    }
    connection.destroy();
    await closed;
  });
});
