import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import * as certificates from '../listener/certificates.fixture.ts';
import { type Listener, listen } from '../listener/listen.ts';
import { ForwardProxy } from './forward-proxy.ts';
import { createHttp2Transport } from './http2-transport.ts';
import { createNodeTransport, type NodeTransport } from './node-transport.ts';
import { proxyTests } from './proxies.fixture.ts';
import { ca, text, tls, transportTests } from './transport.fixture.ts';

const { serve, opened } = transportTests();
const proxies = proxyTests();
const encrypted = [
  ['HTTP/1.1', () => opened(createNodeTransport({ tls: ca }))],
  ['HTTP/2', () => opened(createHttp2Transport({ tls: ca }))],
] as const;

const ask = async (transport: NodeTransport, url: string, request: object = {}): Promise<string> => {
  const response = await transport.request(url, { method: 'GET', ...request });
  return Buffer.from(await response.body()).toString();
};

interface SilentProxy extends AsyncDisposable {
  readonly url: string;
  /** The first connection to it. */
  readonly asked: Promise<Socket>;
}

/** Accepts connections, and never responds. */
async function silentProxy(): Promise<SilentProxy> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.resume().on('error', () => {})));
  const asked = once(server, 'connection').then(([socket]) => socket as Socket);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

describe.each(encrypted)('a proxy for %s over TLS', (_, create) => {
  it.each(['http', 'https', 'socks5', 'socks5h'])(
    'by %s opens a connection, which is reused',
    async (scheme) => {
      const url = await serve(async () => text('x'));
      const isHttp = scheme.startsWith('http');
      const proxy = await (isHttp ? proxies.http(scheme === 'https' ? { tls } : {}) : proxies.socks());
      const transport = create();
      const through = { proxy: `${scheme}://${proxy.address.replace('127.0.0.1', 'localhost')}` };
      for (let i = 0; i < 3; i++) expect(await ask(transport, url, through)).toBe('x');
      expect(proxy.asked).toEqual([`CONNECT ${new URL(url).host}`]);
      // and it is not used for requests without a proxy, or with another
      expect(await ask(transport, url)).toBe('x');
      for (const nobody of ['http://127.0.0.1:1', 'socks5://127.0.0.1:1'])
        await expect(ask(transport, url, { proxy: nobody })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      expect(proxy.asked).toHaveLength(1);
    },
  );

  it.each(['http', 'socks5'] as const)('by %s receives the credentials', async (scheme) => {
    const url = await serve(async () => text('x'));
    const credentials = 'al:pass word';
    const { address } = await (scheme === 'http'
      ? proxies.http({ credentials })
      : proxies.socks({ credentials }));
    expect(await ask(create(), url, { proxy: `${scheme}://al:pass%20word@${address}` })).toBe('x');
    const wrong = ask(create(), url, { proxy: `${scheme}://al:S3CRET@${address}` });
    await expect(wrong).rejects.toThrow(/407|uthentication/);
    await expect(wrong).rejects.not.toThrow('S3CRET');
  });

  it('leaves authentication to the server', async () => {
    const url = await serve(async () => text('x'));
    const { address } = await proxies.http();
    const other = { certificateAuthorities: certificates.otherAuthority };
    await expect(ask(create(), url, { proxy: `http://${address}`, tls: other })).rejects.toThrow(
      /certificate/,
    );
  });

  it('is verified by the CAs of the request', async () => {
    const url = await serve(async () => text('x'));
    const { address, asked } = await proxies.http({ tls });
    const other = { certificateAuthorities: certificates.otherAuthority };
    await expect(ask(create(), url, { proxy: `https://${address}`, tls: other })).rejects.toThrow(
      /certificate/,
    );
    expect(asked).toEqual([]);
  });

  it('stops when aborted, whatever the proxy does', async () => {
    await using silent = await silentProxy();
    const stop = new AbortController();
    const waiting = ask(create(), 'https://localhost:1', { proxy: silent.url, signal: stop.signal });
    await silent.asked;
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  it("is verified by its own name, not the server's", async () => {
    const { port } = new URL(await serve(async () => text('x')));
    const { address } = await proxies.http({ tls });
    const named = { ...ca, serverName: 'localhost' };
    const through = { proxy: `https://${address.replace('127.0.0.1', 'localhost')}`, tls: named };
    expect(await ask(create(), `https://server.test:${port}`, through)).toBe('x');
    const posing = { ...through, proxy: `https://${address.replace('127.0.0.1', '127.0.0.2')}` };
    await expect(ask(create(), `https://localhost:${port}`, posing)).rejects.toThrow(/127\.0\.0\.2/);
  });

  it('rejects unencrypted requests', async () => {
    const url = await serve(async () => text('x'));
    const { address } = await proxies.http();
    const broken = { ...ca, certificate: 'none', key: 'none' };
    await expect(ask(create(), url, { proxy: `http://${address}`, tls: broken })).rejects.toThrow();
  });

  it('does not reveal its password in errors', async () => {
    const { address } = await proxies.socks({ credentials: 'al:x' });
    const asked = ask(create(), 'https://localhost:1', { proxy: `socks5://al:S3CRET@${address}` });
    const error = await asked.catch((thrown) => thrown);
    expect(inspect(error, { showHidden: true, depth: 10 })).not.toContain('S3CRET');
    expect(error.message).toMatch(/^the proxy does not connect to localhost:1: /);
  });

  it('that is silent is released when the transport is closed', async () => {
    await using silent = await silentProxy();
    const transport = create();
    const waiting = ask(transport, 'https://localhost:1', { proxy: silent.url });
    const socket = await silent.asked;
    transport.close();
    await expect(waiting).rejects.toThrow('the transport was closed');
    await once(socket, 'close');
  });

  it.each(['http', 'socks5'] as const)('by %s rejects a name that is too long', async (scheme) => {
    const proxy = await (scheme === 'http' ? proxies.http() : proxies.socks());
    const long = `https://${'a'.repeat(300)}:1`;
    await expect(ask(create(), long, { proxy: `${scheme}://${proxy.address}` })).rejects.toThrow();
    await expect(ask(create(), long, { proxy: `${scheme}://127.0.0.1:1` })).rejects.toThrow();
  });

  it('must be valid', async () => {
    const through = (proxy: string) => ask(create(), 'https://localhost:1', { proxy });
    await expect(through('S3CRET')).rejects.toThrow(new TypeError('the URL of the proxy is not a URL'));
  });
});

it('fails for a server whose tunnel is broken and whose proxy is silent', async () => {
  const url = await serve(async ({ url: path }) => (path === '/dies' ? new Promise(() => {}) : text('x')));
  const proxy = await proxies.http();
  const transport = opened(createHttp2Transport({ tls: ca }));
  const stop = new AbortController();
  const through = { proxy: `http://${proxy.address}`, signal: stop.signal };
  await ask(transport, url, through);
  const waiting = ask(transport, `${url}/dies`, through);
  proxy.cut();
  await vi.waitFor(() => expect(proxy.asked).toHaveLength(2), { timeout: 60_000 });
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

it('does not touch a connection that it has returned', async () => {
  const { port } = new URL(await serve(async () => text('x')));
  for (const proxy of [await proxies.http(), await proxies.socks()]) {
    const stop = new AbortController();
    const socket = await new ForwardProxy(`${proxy.scheme}://${proxy.address}`).connect(
      'localhost',
      Number(port),
      stop.signal,
    );
    stop.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  }
});

it.each([
  ['HTTP/1.1', createNodeTransport],
  ['HTTP/2', createHttp2Transport],
] as const)('handles a certificate that is replaced while connecting, over %s', async (_, create) => {
  await using silent = await silentProxy();
  const transport = opened(create({ tls: { ...ca, ...certificates.client } }));
  const waiting = ask(transport, 'https://localhost:1', { proxy: silent.url });
  await silent.asked;
  transport.closeConnections(certificates.client.certificate);
  await expect(waiting).rejects.toThrow('the certificate of the connection has been replaced');
});

describe('a proxy for unencrypted requests', () => {
  const serve = (): Promise<Listener> =>
    listen(
      async ({ method, url, headers }) => text(`${method} ${url} ${headers.get('proxy-authorization')}`),
      {
        port: 0,
      },
    );

  it.each(['http', 'https'])('by %s receives the complete URL', async (scheme) => {
    await using server = await serve();
    const { url } = server;
    const proxy = await proxies.http({ credentials: 'a:b', ...(scheme === 'https' && { tls }) });
    const transport = opened(createNodeTransport({ tls: ca }));
    const through = { proxy: `${scheme}://a:b@${proxy.address}` };
    expect(await ask(transport, `${url}/x?y=z`, through)).toBe('GET /x?y=z undefined');
    expect(proxy.asked).toEqual([`GET ${url}/x?y=z`]);
  });

  it('does not receive credentials of the server, but the requested host', async () => {
    await using server = await listen(
      async ({ headers }) => text(`${headers.get('host')} ${headers.get('authorization')}`),
      {
        port: 0,
      },
    );
    const { host } = new URL(server.url);
    const proxy = await proxies.http();
    const transport = opened(createNodeTransport());
    const request = { proxy: `http://${proxy.address}`, headers: { host: 'other' } };
    const basic = `Basic ${Buffer.from('u:p').toString('base64')}`;
    expect(await ask(transport, `http://u:p@${host}/x#y`, request)).toBe(`other ${basic}`);
    expect(await ask(transport, `http://u:p@${host}/x#y`, { headers: request.headers })).toBe(
      `other ${basic}`,
    );
    expect(proxy.asked).toEqual([`GET http://${host}/x`]);
  });

  it('by socks5 opens a connection', async () => {
    await using server = await serve();
    const { url } = server;
    const proxy = await proxies.socks();
    const transport = opened(createNodeTransport());
    const through = { proxy: `socks5://${proxy.address}` };
    for (let i = 0; i < 2; i++) expect(await ask(transport, `${url}/x`, through)).toBe('GET /x undefined');
    expect(await ask(transport, `${url}/y`)).toBe('GET /y undefined');
    expect(proxy.asked).toEqual([`CONNECT ${new URL(url).host}`]);
  });
});
