import { createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import * as certificates from '../listener/certificates.fixture.ts';
import { createNodeTransport, type NodeTransportOptions } from './node-transport.ts';
import { ca, serveSlowly, text, transportTests } from './transport.fixture.ts';

const { serve, opened } = transportTests();
const create = (options: NodeTransportOptions = {}) => opened(createNodeTransport(options));

describe('createNodeTransport', () => {
  it('sends method, headers and body, and returns any status', async () => {
    const url = await serve(async (request) => ({
      status: 418,
      headers: { 'x-seen': request.headers.all('x-many') },
      body: await request.body(100),
    }));
    const response = await create({ tls: ca }).request(url, {
      method: 'PUT',
      headers: { 'x-many': ['a', 'b'] },
      body: new TextEncoder().encode('body'),
    });
    expect(response.status).toBe(418);
    expect(response.headers['x-seen']).toBe('a, b');
    expect(Buffer.from(await response.body()).toString()).toBe('body');
  });

  it('reuses its connections', async () => {
    const ports = new Set<unknown>();
    const url = await serve(async ({ connection }) => {
      ports.add(connection);
      return text('x');
    });
    const transport = create({ tls: ca });
    for (let i = 0; i < 3; i++) await (await transport.request(url, { method: 'GET' })).body();
    expect(ports.size).toBe(1);
  });

  it('verifies servers by its settings', async () => {
    const url = await serve(async () => text('x'));
    const transport = create();
    await expect(transport.request(url, { method: 'GET' })).rejects.toThrow(/certificate/);
    const otherTls = { certificateAuthorities: certificates.otherAuthority };
    await expect(transport.request(url, { method: 'GET', tls: otherTls })).rejects.toThrow(/certificate/);
    expect((await transport.request(url, { method: 'GET', tls: { insecure: true } })).status).toBe(200);
    // a connection without verification is not used for verified requests
    await expect(transport.request(url, { method: 'GET', tls: otherTls })).rejects.toThrow(/certificate/);
    const named = { ...ca, serverName: 'another.host' };
    await expect(transport.request(url, { method: 'GET', tls: named })).rejects.toThrow(/altnames|Hostname/);
  });

  it('trusts each certificate of a bundle as it is: that of the server, or of an intermediate authority', async () => {
    const transport = create();
    const get = async (url: string, certificateAuthorities: string): Promise<number> =>
      (await transport.request(url, { method: 'GET', tls: { certificateAuthorities } })).status;
    const url = await serve(async () => text('x'));
    expect(await get(url, certificates.server.certificate)).toBe(200);
    await expect(get(url, certificates.client.certificate)).rejects.toThrow(/certificate/);
  });

  it('streams, and ends with the reason of its signal', async () => {
    const url = await serve(async () => ({
      status: 200,
      headers: {},
      body: (sink) => void sink.write(new TextEncoder().encode('begin')),
    }));
    const leaving = new AbortController();
    const response = await create({ tls: ca }).request(url, { method: 'GET', signal: leaving.signal });
    const read = async (): Promise<void> => {
      for await (const chunk of response.stream()) {
        expect(Buffer.from(chunk).toString()).toBe('begin');
        leaving.abort(new Error('seen enough'));
      }
    };
    await expect(read()).rejects.toThrow('seen enough');
    const again = create({ tls: ca }).request(url, { method: 'GET', signal: leaving.signal });
    await expect(again).rejects.toThrow('seen enough');
  });

  it('closes the connections of a replaced certificate: idle ones, and responses that are still arriving', async () => {
    const { url, seen, finish } = await serveSlowly(serve);
    const transport = create();
    const anna = { ...ca, ...certificates.client };
    const ask = async (method: string, as = anna) => transport.request(url, { method, tls: as });
    await (await ask('POST')).body();
    const watching = (await ask('GET')).stream()[Symbol.asyncIterator]();
    await watching.next();
    const waiting = ask('PUT');
    await vi.waitUntil(() => finish.length === 1);
    expect(new Set(seen).size).toBe(2);

    transport.closeConnections(certificates.clientOfIntermediate.certificate);
    await (await ask('POST')).body();
    expect(new Set(seen).size).toBe(3);
    transport.closeConnections(anna.certificate);
    await expect(watching.next()).rejects.toThrow('has been replaced');
    // pending requests complete, on a connection that is not reused
    finish[0]?.();
    expect(Buffer.from(await (await waiting).body()).toString()).toBe('x');
    await (await ask('POST')).body();
    expect(new Set(seen).size).toBe(4);
  });

  it('rejects if nothing listens, and for other schemes', async () => {
    const transport = create();
    await expect(transport.request('http://127.0.0.1:1/', { method: 'GET' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    await expect(transport.request('ftp://h/', { method: 'GET' })).rejects.toThrow(TypeError);
  });

  it('retries when a reused connection turns out closed, unless the request may have been processed', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      let asked = 0;
      connections++;
      socket.on('error', () => {});
      socket.on('data', () => {
        // the second request on a connection whose server has disconnected
        if (++asked === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        else socket.resetAndDestroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
    const transport = create();
    await (await transport.request(url, { method: 'GET' })).body();
    await (await transport.request(url, { method: 'GET' })).body();
    expect(connections).toBe(2);
    await expect(transport.request(url, { method: 'POST' })).rejects.toMatchObject({ code: 'ECONNRESET' });
    // several of these in sequence
    const ask = async () => (await transport.request(url, { method: 'GET' })).body();
    await Promise.all([ask(), ask()]);
    const before = connections;
    await ask();
    expect(connections).toBe(before + 1);
    transport.close();
    await new Promise((resolve) => server.close(resolve));
  });
});
