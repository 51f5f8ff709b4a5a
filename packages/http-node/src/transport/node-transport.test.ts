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

  it('keeps its connections', async () => {
    const ports = new Set<unknown>();
    const url = await serve(async ({ connection }) => {
      ports.add(connection);
      return text('x');
    });
    const transport = create({ tls: ca });
    for (let i = 0; i < 3; i++) await (await transport.request(url, { method: 'GET' })).body();
    expect(ports.size).toBe(1);
  });

  it('trusts whom it is told to trust', async () => {
    const url = await serve(async () => text('x'));
    const transport = create();
    await expect(transport.request(url, { method: 'GET' })).rejects.toThrow(/certificate/);
    const otherTls = { certificateAuthorities: certificates.otherAuthority };
    await expect(transport.request(url, { method: 'GET', tls: otherTls })).rejects.toThrow(/certificate/);
    expect((await transport.request(url, { method: 'GET', tls: { insecure: true } })).status).toBe(200);
    // a connection made without trust is not lent to those who ask for it
    await expect(transport.request(url, { method: 'GET', tls: otherTls })).rejects.toThrow(/certificate/);
    const named = { ...ca, serverName: 'another.host' };
    await expect(transport.request(url, { method: 'GET', tls: named })).rejects.toThrow(/altnames|Hostname/);
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

  it('ends the connections of a certificate that is replaced: idle ones, and answers that are still arriving', async () => {
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
    // what waits for an answer gets it, on a connection that is not used again
    finish[0]?.();
    expect(Buffer.from(await (await waiting).body()).toString()).toBe('x');
    await (await ask('POST')).body();
    expect(new Set(seen).size).toBe(4);
  });

  it('rejects where nobody listens, and other schemes', async () => {
    const transport = create();
    await expect(transport.request('http://127.0.0.1:1/', { method: 'GET' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    await expect(transport.request('ftp://h/', { method: 'GET' })).rejects.toThrow(TypeError);
  });

  it('asks once more when a kept connection turns out closed, but not to do something twice', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      let asked = 0;
      connections++;
      socket.on('error', () => {});
      socket.on('data', () => {
        // the second request on a connection meets a server that has hung up
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
    // several that turn out so, one behind the other
    const ask = async () => (await transport.request(url, { method: 'GET' })).body();
    await Promise.all([ask(), ask()]);
    const before = connections;
    await ask();
    expect(connections).toBe(before + 1);
    transport.close();
    await new Promise((resolve) => server.close(resolve));
  });
});
