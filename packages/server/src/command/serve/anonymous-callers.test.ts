import { request as requestHttp } from 'node:http';
import { withAnonymous } from '@ashlar/authn';
import { type Listener, listen } from '@ashlar/http-node';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../assembly/api-server.ts';
import type { ApiServerOptions } from '../../assembly/api-server-options.ts';
import { createApiServer } from '../../assembly/create-api-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
let server: ApiServer | undefined;
let listener: Listener | undefined;

async function serve(options: ApiServerOptions = {}): Promise<number> {
  server = createApiServer(options);
  await server.ready;
  listener = await listen(server.handler);
  return (listener.address as { port: number }).port;
}

afterEach(async () => {
  await listener?.close({ graceMilliseconds: 0 });
  await server?.close();
});

function statusOf(port: number, headers: Record<string, string> = {}): Promise<number | undefined> {
  const path = headers.upgrade ? `${MAPS}?watch=1` : MAPS;
  return new Promise((resolve, reject) => {
    requestHttp({ host: '127.0.0.1', port, path, headers }, (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode);
    })
      .on('upgrade', (incoming, socket) => {
        socket.destroy();
        resolve(incoming.statusCode);
      })
      .on('error', reject)
      .end();
  });
}

describe('a server without an authenticator', () => {
  it('accepts its own names, and no foreign web page', async () => {
    const port = await serve();
    expect(await statusOf(port)).toBe(200);
    expect(await statusOf(port, { host: `localhost:${port}` })).toBe(200);
    expect(await statusOf(port, { host: 'rebound.example' })).toBe(403);
    expect(await statusOf(port, { origin: 'http://evil.example' })).toBe(403);
    expect(await statusOf(port, { origin: `http://127.0.0.1:${port}` })).toBe(200);
  });

  it('rejects WebSockets of foreign web pages', async () => {
    const port = await serve();
    const opening = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    expect(await statusOf(port, opening)).toBe(101);
    expect(await statusOf(port, { ...opening, origin: 'http://evil.example' })).toBe(403);
  });

  it('accepts requests of allowed hosts and origins', async () => {
    const port = await serve({ anonymousFrom: { hosts: ['api.example'], origins: ['http://app.example'] } });
    expect(await statusOf(port, { host: 'api.example' })).toBe(200);
    expect(await statusOf(port, { origin: 'http://app.example' })).toBe(200);
    expect(await statusOf(port, { host: 'rebound.example' })).toBe(403);
  });

  it('accepts every request with anywhere', async () => {
    const port = await serve({ anonymousFrom: 'anywhere' });
    expect(await statusOf(port, { host: 'rebound.example', origin: 'http://evil.example' })).toBe(200);
  });
});

describe('a server with an authenticator', () => {
  it('accepts any name', async () => {
    const authenticator = withAnonymous({ authenticate: () => ({ outcome: 'none' }) });
    const port = await serve({ authenticator: () => authenticator });
    expect(await statusOf(port, { host: 'api.example', origin: 'http://evil.example' })).toBe(200);
  });
});
