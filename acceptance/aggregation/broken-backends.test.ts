import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, type Front, startBackend, startFront } from './front.fixture.ts';

let front: Front;
let number = 0;
const open: Disposable[] = [];

beforeAll(async () => {
  front = await startFront();
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  for (const each of open) each[Symbol.dispose]();
});

/** Registers a backend, and returns the path of its things. */
async function behind(backend: Backend, spec: object = {}): Promise<string> {
  const started = await startBackend(backend);
  open.push(started);
  const version = `v${++number}`;
  expect(await front.register(version, started.port, spec)).toBe('Passed');
  return `/apis/example.com/${version}/things`;
}

const own = async (): Promise<number> => (await front.ask('/api/v1/namespaces')).status;

describe('a backend that is broken costs its own requests only', () => {
  it.each<[string, Backend, RegExp]>([
    ['closes the connection', (socket) => socket.end(), /socket hang up/],
    ['speaks another protocol', (socket) => socket.write('SSH-2.0-OpenSSH_9\r\n'), /Parse Error/],
    ['sends half a header', (socket) => socket.end('HTTP/1.1 200 OK\r\nX-A'), /socket hang up|Parse Error/],
    [
      'sends a huge header',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'X-A: aaaaaaaaaaaaaaa\r\n'.repeat(20_000)}`),
      /Parse Error/,
    ],
    [
      'announces two lengths',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\naa'),
      /Parse Error/,
    ],
    [
      'smuggles a header line',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 0\r\n\r\n'),
      /Parse Error/,
    ],
  ])('which %s', async (_, backend, why) => {
    const response = await front.ask(await behind(backend));
    expect([response.status, response.headers.get('content-type')]).toEqual([
      503,
      'text/plain; charset=utf-8',
    ]);
    expect(await response.text()).toMatch(/^error trying to reach service: /);
    expect(await (await front.ask(await behind(backend))).text()).toMatch(why);
    expect(await own()).toBe(200);
  });

  it('which does not answer', async () => {
    const path = await behind(() => {});
    const response = await front.ask(`${path}?timeout=1s`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      504,
      'text/plain; charset=utf-8',
    ]);
    expect(await response.json()).toEqual({
      metadata: {},
      status: 'Failure',
      message: 'Timeout: request did not complete within the allotted timeout',
      reason: 'Timeout',
      details: {},
      code: 504,
    });
  });

  it('which sends less than it announces', async () => {
    const path = await behind((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'));
    const response = await front.ask(path);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(await own()).toBe(200);
  });

  it('which sends more than it announces', async () => {
    const path = await behind((socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx',
      ),
    );
    for (let i = 0; i < 3; i++) expect(await (await front.ask(path)).text()).toBe('abc');
  });

  it('which sends without end, to a caller who does not read', async () => {
    let sent = 0;
    let ended = (): void => {};
    const gone = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const path = await behind((socket) => {
      socket.once('close', ended);
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const chunk = Buffer.alloc(256 * 1024);
      const more = (): void => {
        if (socket.destroyed) return;
        sent += chunk.length;
        if (socket.write(chunk)) setImmediate(more);
        else socket.once('drain', more);
      };
      more();
    });
    const leave = new AbortController();
    const response = await front.ask(`${path}?watch=1`, { signal: leave.signal });
    expect(response.status).toBe(200);
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    // nobody reads: what is sent stands in the buffers of sockets, and no more is taken
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    leave.abort();
    await gone;
  });

  it('which sends without end, until the time of the request is over', async () => {
    const path = await behind((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\na');
    });
    const response = await front.ask(`${path}?timeout=1s`);
    await expect(response.text()).rejects.toThrow();
  });

  it('which redirects', async () => {
    const path = await behind((socket) =>
      socket.write('HTTP/1.1 307 X\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n'),
    );
    const response = await front.ask(path, { redirect: 'manual' });
    expect([response.status, await response.text()]).toEqual([
      502,
      'the backend attempted to redirect this request, which is not permitted',
    ]);
  });

  it('which is not who it should be', async () => {
    let asked = 0;
    const caBundle = Buffer.from('-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n');
    const path = await behind(() => asked++, { caBundle: caBundle.toString('base64') });
    expect((await front.ask(path)).status).toBe(503);
    expect(asked).toBe(0);
  });

  it('which is not there', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    const version = `v${++number}`;
    expect(await front.register(version, port)).toBe('FailedDiscoveryCheck');
    const response = await front.ask(`/apis/example.com/${version}/things`);
    expect([response.status, await response.text()]).toEqual([503, 'service unavailable\n']);
  });
});

describe('a request that is passed on', () => {
  it('carries the identity that was authenticated, and none that its caller writes', async () => {
    const seen: string[] = [];
    const path = await behind((socket, request) => {
      seen.push(request);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    const response = await front.ask(path, {
      headers: {
        'x-remote-user': 'root',
        'x-remote-group': 'wheel',
        'x-remote-extra-a': 'b',
        x_remote_user: 'root',
      },
    });
    expect(response.status).toBe(200);
    const lines = (seen[0] as string).split('\r\n').filter((line) => /^x.remote/i.test(line));
    expect(lines).toEqual([
      'x-remote-user: admin',
      'x-remote-group: system:masters',
      'x-remote-group: system:authenticated',
    ]);
    expect(seen[0]).not.toMatch(/admin-token|wheel|root/);
  });

  it('cannot leave its path', async () => {
    const seen: string[] = [];
    const path = await behind((socket, request) => {
      seen.push(request.split('\r\n', 1)[0] as string);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    expect(await front.statusOf(`${path}/%2e%2e/%2e%2e/secret`)).toBe(200);
    // what was authorized is what is asked for: nobody makes another path of it
    expect(seen).toEqual([`GET ${path}/../../secret HTTP/1.1`]);
  });

  it('has a body that is no other request', async () => {
    const seen: string[] = [];
    const path = await behind((socket, request) => {
      seen.push(request);
      if (request.includes('\r\n0\r\n\r\n') || request.includes('{}'))
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    const response = await front.ask(path, { method: 'DELETE', body: '{}' });
    expect(response.status).toBe(200);
    expect(seen.join('')).toMatch(/content-length: 2\r\n/);
  });
});
