import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { bind } from '../listener/bind.ts';
import { authority, server as certificate } from '../listener/certificates.fixture.ts';
import { keepPausedParsers } from './paused-parsers.ts';

/** Longer than a record of TLS. */
const LENGTH = 60_000;
const post = `POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${LENGTH}\r\n\r\n${'a'.repeat(LENGTH)}`;

/** Lets more wait to be sent than a connection takes. */
function fill(socket: Socket): void {
  socket.cork();
  socket.write(`HTTP/1.1 102 Processing\r\nx: ${'b'.repeat(LENGTH)}\r\n\r\n`);
}

/** A server whose first response is still being sent when the next request arrives. */
async function listenCorked() {
  const lengths: number[] = [];
  const failures: unknown[] = [];
  let firstIsWritten = (): void => {};
  const written = new Promise<void>((resolve) => {
    firstIsWritten = resolve;
  });
  const server = createServer(
    { key: certificate.key, cert: certificate.certificate },
    (incoming, outgoing) => {
      const isFirst = lengths.length === 0;
      // the next request meets a connection that is full, and is read once there is room again
      if (!isFirst) setImmediate(() => incoming.socket.uncork());
      let length = 0;
      incoming.on('data', (piece: Buffer) => {
        length += piece.length;
      });
      incoming.on('end', () => {
        lengths.push(length);
        outgoing.end('b');
        if (isFirst) fill(incoming.socket);
        firstIsWritten();
      });
    },
  );
  server.on('clientError', (error, socket) => {
    failures.push(error);
    socket.destroy();
  });
  keepPausedParsers(server);
  const address = await bind(server, {});
  const port = 'port' in address ? address.port : 0;
  return { lengths, failures, written, port, [Symbol.dispose]: () => void server.close() };
}

const open = (port: number): Promise<TLSSocket> =>
  new Promise((resolve) => {
    const socket: TLSSocket = connect(
      { port, host: '127.0.0.1', servername: 'localhost', ca: authority },
      () => resolve(socket),
    );
  });

describe('a parser that Node has paused', () => {
  it('is given the rest of a request that arrives while the response before is being sent', async () => {
    using listening = await listenCorked();
    const socket = await open(listening.port);
    let received = '';
    const answered = new Promise<void>((resolve) => {
      socket.on('data', (piece: Buffer) => {
        received += piece.toString('latin1');
        if (received.split('HTTP/1.1 200').length === 3) resolve();
      });
      socket.once('close', () => resolve());
    });
    socket.write(post);
    await listening.written;
    socket.write(post);
    await answered;
    socket.destroy();
    expect(listening.failures).toEqual([]);
    expect(listening.lengths).toEqual([LENGTH, LENGTH]);
    expect(received.match(/HTTP\/1.1 200/g)).toHaveLength(2);
  });
});
