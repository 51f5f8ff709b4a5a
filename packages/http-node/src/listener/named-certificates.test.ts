import { connect as connectTls } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import * as certificates from './certificates.fixture.ts';
import { type Listener, listen } from './listen.ts';
import type { ListenTls } from './listen-options.ts';

const open: Listener[] = [];
afterAll(() => Promise.all(open.map((listener) => listener.close({ graceMilliseconds: 0 }))));

async function serve(tls: ListenTls): Promise<Listener> {
  const listener = await listen(async () => ({ status: 200, headers: {} }), { tls });
  open.push(listener);
  return listener;
}

/** The common name of the certificate that a client is shown, and whether its own is trusted. */
function shown(listener: Listener, servername?: string, own: object = {}): Promise<string | undefined> {
  const { port } = listener.address as { port: number };
  const options = { ...own, ...(servername !== undefined && { servername }) };
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve([socket.getPeerCertificate().subject.CN].flat()[0]);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const { server, stranger, client } = certificates;
const pair = ({ certificate, key }: { certificate: string; key: string }) => ({ certificate, key });

describe('named certificates', () => {
  it('are shown to clients that ask for their names', async () => {
    const listener = await serve({
      ...pair(server),
      named: [
        { ...pair(stranger), names: ['a.example.org', '*.example.com', '*'] },
        { ...pair(client), names: ['a.example.org', 'b.example.com'] },
      ],
    });
    for (const [name, expected] of [
      ['a.example.org', 'stranger'],
      ['A.Example.ORG', 'stranger'],
      ['b.example.com', 'anna'],
      ['c.example.com', 'stranger'],
      ['x.c.example.com', 'localhost'],
      ['example.com', 'localhost'],
      ['single', 'stranger'],
      ['other.org', 'localhost'],
      [undefined, 'localhost'],
    ] as const)
      expect([name, await shown(listener, name)]).toEqual([name, expected]);
  });

  it('have the names within them, after those that are given', async () => {
    const listener = await serve({ ...pair(client), named: [pair(server), pair(stranger)] });
    expect(await shown(listener, 'localhost')).toBe('localhost');
    expect(await shown(listener, 'stranger')).toBe('stranger');
    const given = { ...pair(stranger), names: ['localhost'] };
    const other = await serve({ ...pair(client), named: [pair(server), given] });
    expect(await shown(other, 'localhost')).toBe('stranger');
  });

  it('are shown for names within them if the main certificate is for others', async () => {
    const listener = await serve({ ...pair(client), named: [{ ...pair(server), names: ['x'] }] });
    expect(await shown(listener, 'localhost')).toBe('localhost');
    expect(await shown(listener, 'elsewhere')).toBe('anna');
    expect(await shown(listener, '127.0.0.1')).toBe('localhost');
  });

  it('verify certificates of clients as the main one does', async () => {
    const seen: unknown[] = [];
    const listener = await listen(
      async ({ connection }) => {
        seen.push(connection.clientCertificates?.length, connection.clientCertificateError);
        return { status: 200, headers: {} };
      },
      {
        tls: {
          ...{ ...pair(stranger), clientCertificateAuthorities: certificates.authority },
          named: [{ ...pair(server), names: ['x'] }],
        },
      },
    );
    open.push(listener);
    const { port } = listener.address as { port: number };
    await new Promise((resolve) => {
      const options = { port, host: '127.0.0.1', rejectUnauthorized: false, servername: 'x' };
      const socket = connectTls({ ...options, cert: client.certificate, key: client.key }, () => {
        expect(socket.getPeerCertificate().subject.CN).toBe('localhost');
        socket.end('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
      });
      socket.resume().on('close', resolve);
    });
    expect(seen).toEqual([2, undefined]);
  });

  it('are replaced for new connections, all or none', async () => {
    const listener = await serve({ ...pair(server), named: [{ ...pair(stranger), names: ['x'] }] });
    listener.setCertificate({ named: [{ ...pair(client), names: ['x'] }] });
    expect(await shown(listener, 'x')).toBe('anna');
    const broken = { certificate: client.certificate, key: server.key, names: ['x'] };
    expect(() => listener.setCertificate({ ...pair(stranger), named: [broken] })).toThrow();
    expect([await shown(listener, 'x'), await shown(listener)]).toEqual(['anna', 'localhost']);
    listener.setCertificate(pair(stranger));
    expect([await shown(listener, 'x'), await shown(listener)]).toEqual(['anna', 'stranger']);
    const without = await serve(pair(server));
    expect(() => without.setCertificate({ named: [] })).toThrow(TypeError);
    await expect(serve({ ...pair(server), named: [broken] })).rejects.toThrow();
  });
});
