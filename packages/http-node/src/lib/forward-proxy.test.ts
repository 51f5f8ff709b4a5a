import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Transport } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import * as certificates from './certificates.fixture.ts';
import { createHttp2Transport } from './http2-transport.ts';
import { type Listener, listen } from './listen.ts';
import { createNodeTransport } from './node-transport.ts';
import { proxyTests } from './proxies.fixture.ts';
import { ca, text, tls, transportTests } from './transport.fixture.ts';

const { serve, opened } = transportTests();
const proxies = proxyTests();
const encrypted = [
  ['HTTP/1.1', () => opened(createNodeTransport({ tls: ca }))],
  ['HTTP/2', () => opened(createHttp2Transport({ tls: ca }))],
] as const;

const ask = async (transport: Transport, url: string, request: object = {}): Promise<string> => {
  const response = await transport.request(url, { method: 'GET', ...request });
  return Buffer.from(await response.body()).toString();
};

describe.each(encrypted)('a proxy for %s over TLS', (_, create) => {
  it.each(['http', 'https', 'socks5', 'socks5h'])(
    'by %s opens a connection, which is kept',
    async (scheme) => {
      const url = await serve(async () => text('x'));
      const isHttp = scheme.startsWith('http');
      const proxy = await (isHttp ? proxies.http(scheme === 'https' ? { tls } : {}) : proxies.socks());
      const transport = create();
      const through = { proxy: `${scheme}://${proxy.address.replace('127.0.0.1', 'localhost')}` };
      for (let i = 0; i < 3; i++) expect(await ask(transport, url, through)).toBe('x');
      expect(proxy.asked).toEqual([`CONNECT ${new URL(url).host}`]);
      // and it is not lent to those who name no proxy, or another
      expect(await ask(transport, url)).toBe('x');
      await expect(ask(transport, url, { proxy: 'http://127.0.0.1:1' })).rejects.toThrow('ECONNREFUSED');
      expect(proxy.asked).toHaveLength(1);
    },
  );

  it.each(['http', 'socks5'] as const)('by %s is told who asks', async (scheme) => {
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

  it('leaves it to the server to show who it is', async () => {
    const url = await serve(async () => text('x'));
    const { address } = await proxies.http();
    const other = { certificateAuthorities: certificates.otherAuthority };
    await expect(ask(create(), url, { proxy: `http://${address}`, tls: other })).rejects.toThrow(
      /certificate/,
    );
  });

  it('is recognized as the server is', async () => {
    const url = await serve(async () => text('x'));
    const { address, asked } = await proxies.http({ tls });
    const other = { certificateAuthorities: certificates.otherAuthority };
    await expect(ask(create(), url, { proxy: `https://${address}`, tls: other })).rejects.toThrow(
      /certificate/,
    );
    expect(asked).toEqual([]);
  });

  it('gives up when it is told to, whatever the proxy does', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const stop = new AbortController();
    const request = { proxy: `http://127.0.0.1:${port}`, signal: stop.signal };
    const waiting = ask(create(), 'https://localhost:1', request);
    await once(silent, 'connection');
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    silent.close();
  });

  it('must be one', async () => {
    const through = (proxy: string) => ask(create(), 'https://localhost:1', { proxy });
    await expect(through('S3CRET')).rejects.toThrow(new TypeError('the proxy has no URL'));
    await expect(through('ftp://u:S3CRET@h')).rejects.toThrow(
      new TypeError('the URL of the proxy is none of http, https, socks5 or socks5h'),
    );
  });
});

describe('a proxy for requests that are not encrypted', () => {
  const serve = (): Promise<Listener> =>
    listen(
      async ({ method, url, headers }) => text(`${method} ${url} ${headers.get('proxy-authorization')}`),
      {
        port: 0,
      },
    );

  it.each(['http', 'https'])('by %s is told the whole URL', async (scheme) => {
    await using server = await serve();
    const { url } = server;
    const proxy = await proxies.http({ credentials: 'a:b', ...(scheme === 'https' && { tls }) });
    const transport = opened(createNodeTransport({ tls: ca }));
    const through = { proxy: `${scheme}://a:b@${proxy.address}` };
    expect(await ask(transport, `${url}/x?y=z`, through)).toBe('GET /x?y=z undefined');
    expect(proxy.asked).toEqual([`GET ${url}/x?y=z`]);
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
