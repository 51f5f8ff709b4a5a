import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { handOverReads, holdReads } from './held-reads.ts';

const GET = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n';
let server: Server;
let client: Socket;

/** A connection whose first request has been answered, and how many were received. */
async function connection(): Promise<{ socket: Socket; received: () => number }> {
  let count = 0;
  server = createServer((_incoming, outgoing) => {
    count++;
    outgoing.end('x');
  });
  const first = new Promise<Socket>((resolve) =>
    server.once('request', ({ socket }: IncomingMessage) => resolve(socket)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(GET);
  const socket = await first;
  await once(client, 'data');
  return { socket, received: () => count };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));

afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

describe('a held connection', () => {
  it('is not read until all holders have released it', async () => {
    const { socket, received } = await connection();
    const releases = [holdReads(socket), holdReads(socket)] as const;
    client.write(GET);
    await settled();
    releases[0]();
    releases[0]();
    await settled();
    expect(received()).toBe(1);
    releases[1]();
    await expect.poll(received).toBe(2);
  });

  it('is not read when Node resumes it, and not resumed where Node has paused it', async () => {
    const { socket, received } = await connection();
    const release = holdReads(socket);
    socket.resume();
    client.write(GET);
    await settled();
    expect(received()).toBe(1);
    socket.pause();
    release();
    await settled();
    expect(received()).toBe(1);
    socket.resume();
    await expect.poll(received).toBe(2);
  });

  it('stays paused if it was', async () => {
    const { socket } = await connection();
    socket.pause();
    holdReads(socket)();
    expect(socket.isPaused()).toBe(true);
  });

  it('can be held again', async () => {
    const { socket, received } = await connection();
    for (let i = 2; i < 5; i++) {
      const release = holdReads(socket);
      client.write(GET);
      await settled();
      expect(received()).toBe(i - 1);
      release();
      await expect.poll(received).toBe(i);
    }
  });

  it('is not resumed when it has been handed over', async () => {
    const { socket } = await connection();
    const release = holdReads(socket);
    handOverReads(socket);
    release();
    expect(socket.isPaused()).toBe(true);
    socket.resume();
    expect(socket.isPaused()).toBe(false);
  });
});
