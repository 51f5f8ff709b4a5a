import { createServer } from 'node:tls';
import type { TransportResponse } from '@ashlar/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as certificates from '../../listener/certificates.fixture.ts';
import { createNodeTransport } from '../node-transport.ts';
import { ca, text, transportTests } from '../transport.fixture.ts';

const { serve, opened } = transportTests();
const create = () => opened(createNodeTransport());
const body = new TextEncoder().encode('review');
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n';

/** A server that answers the requests of all connections with texts, one after another; undefined ends the connection. */
async function answering(...responses: readonly (string | undefined)[]) {
  const left = [...responses];
  const seen = { connections: 0, open: 0, requests: [] as string[] };
  const { certificate: cert, key } = certificates.server;
  const server = createServer({ cert, key }, (socket) => {
    seen.connections++;
    seen.open++;
    socket.on('close', () => seen.open--);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      seen.requests.push(bytes.toString('latin1'));
      const response = left.shift();
      if (response === undefined) socket.destroy();
      else socket.write(response, 'latin1');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `https://127.0.0.1:${(server.address() as { port: number }).port}/a?b=c`;
  return { url, seen };
}

const read = async (response: TransportResponse): Promise<string> =>
  Buffer.from(await response.body()).toString();

describe('a short call', () => {
  it('sends headers and body, and returns any status', async () => {
    const url = await serve(async (request) => ({
      status: 418,
      headers: {
        'x-seen': [...request.headers.all('x-many'), request.url, request.headers.get('host') ?? ''],
      },
      body: await request.body(100),
    }));
    const request = { method: 'POST', headers: { 'x-many': ['a', 'b'] }, body, tls: ca };
    const response = await create().request(`${url}/x?y=z`, request);
    expect([response.status, await read(response)]).toEqual([418, 'review']);
    expect(response.headers['x-seen']).toBe(`a, b, /x?y=z, ${new URL(url).host}`);
  });

  it('reuses connections, one for each call at a time', async () => {
    const connections = new Set<unknown>();
    const url = await serve(async ({ connection }) => {
      connections.add(connection);
      return text('x');
    });
    const transport = create();
    const call = async () => read(await transport.request(url, { method: 'POST', body, tls: { ...ca } }));
    for (let i = 0; i < 3; i++) await call();
    expect(connections.size).toBe(1);
    await Promise.all([call(), call(), call()]);
    expect(connections.size).toBe(3);
  });

  it('verifies servers by the settings of each call', async () => {
    const url = await serve(async () => text('x'));
    const transport = create();
    const call = async (tls: object) => (await transport.request(url, { method: 'POST', body, tls })).status;
    await expect(call({})).rejects.toThrow(/certificate/);
    const other = { certificateAuthorities: certificates.otherAuthority };
    await expect(call(other)).rejects.toThrow(/certificate/);
    expect(await call({ insecure: true })).toBe(200);
    await expect(call(other)).rejects.toThrow(/certificate/);
    await expect(call({ ...ca, serverName: 'another.host' })).rejects.toThrow(/altnames|Hostname/);
    expect(await call(ca)).toBe(200);
  });

  it('refuses headers that would begin others', async () => {
    const { url, seen } = await answering();
    const call = (headers: Record<string, string>) =>
      create().request(url, { method: 'POST', body, headers, tls: ca });
    await expect(call({ a: 'b\r\nc: d' })).rejects.toThrow(/Invalid character/);
    await expect(call({ 'a\r\n': 'b' })).rejects.toThrow(/valid HTTP token/);
    expect(seen.requests).toEqual([]);
  });

  it.each([
    ['says so', `${OK}Connection: close\r\n\r\nok`],
    ['speaks HTTP/1.0', `${OK.replace('1.1', '1.0')}\r\nok`],
    ['sends more than the response', `${OK}\r\nokHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad`],
    ['will close it at once', `${OK}Keep-Alive: timeout=1\r\n\r\nok`],
  ])('does not reuse a connection whose server %s', async (_, response) => {
    const { url, seen } = await answering(response, `${OK}\r\nok`);
    const transport = create();
    const call = async () => read(await transport.request(url, { method: 'POST', body, tls: ca }));
    expect([await call(), await call()]).toEqual(['ok', 'ok']);
    expect(seen.connections).toBe(2);
  });

  it.each([
    ['no response', undefined, /socket hang up|ECONNRESET/],
    ['no HTTP', 'hello\r\n\r\n', /malformed/],
  ])('fails with %s', async (_, response, message) => {
    const { url, seen } = await answering(response);
    await expect(create().request(url, { method: 'POST', body, tls: ca })).rejects.toThrow(message);
    await vi.waitUntil(() => seen.open === 0);
  });

  it('fails in the middle of a body, with the connection or with its signal', async () => {
    const begin = 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nbegin';
    const { url, seen } = await answering(begin);
    const leaving = new AbortController();
    const request = { method: 'POST', body, tls: ca, signal: leaving.signal };
    const response = await create().request(url, request);
    const reading = read(response);
    leaving.abort(new Error('seen enough'));
    await expect(reading).rejects.toThrow('seen enough');
    await vi.waitUntil(() => seen.open === 0);
    await expect(create().request(url, request)).rejects.toThrow('seen enough');
  });

  it('ends with its signal before there is a response', async () => {
    const { url, seen } = await answering('');
    const leaving = new AbortController();
    const calling = create().request(url, { method: 'POST', body, tls: ca, signal: leaving.signal });
    await vi.waitUntil(() => seen.requests.length === 1);
    leaving.abort(new Error('too late'));
    await expect(calling).rejects.toThrow('too late');
    await vi.waitUntil(() => seen.open === 0);
  });

  it('closes the connection of a reader that leaves, and of a transport that is closed', async () => {
    const { url, seen } = await answering(...Array(3).fill('HTTP/1.1 200 OK\r\n\r\nbegin'));
    const transport = create();
    const { signal } = new AbortController();
    const call = () => transport.request(url, { method: 'POST', body, tls: ca, signal });
    for await (const _ of (await call()).stream()) break;
    await vi.waitUntil(() => seen.open === 0);
    const reading = read(await call());
    transport.close();
    await expect(reading).rejects.toThrow('socket hang up');
  });

  it('says when nothing listens', async () => {
    await expect(
      create().request('https://127.0.0.1:1/', { method: 'POST', body, tls: ca }),
    ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
