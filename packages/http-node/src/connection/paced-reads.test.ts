import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Turns } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { paceReads } from './paced-reads.ts';

/** Turns that a test gives one by one. */
class GivenTurns implements Turns {
  readonly waiting: (() => void)[] = [];
  readonly used: number[] = [];

  requestBegan(): void {}

  atEndOfTurn(): void {}

  pause(usedMilliseconds = 0): Promise<void> {
    this.used.push(usedMilliseconds);
    return new Promise((resume) => this.waiting.push(resume));
  }

  /** Resolves when a connection waits. */
  async waits(): Promise<void> {
    while (this.waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  async give(): Promise<void> {
    await this.waits();
    this.waiting.shift()?.();
  }
}

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

interface Exchange extends AsyncDisposable {
  readonly client: Socket;
  readonly turns: GivenTurns;
  readonly incoming: IncomingMessage;
  /** The body that has been read so far. */
  body(): string;
  /** Resolves when the server has handled what another connection sent later. */
  settled(): Promise<void>;
}

/** A request whose head has arrived on a paced connection. @param work done for each piece of its body @param prepare changes the connection */
async function pacedExchange(
  work: () => void = () => {},
  prepare: (socket: Socket) => void = () => {},
): Promise<Exchange> {
  const turns = new GivenTurns();
  const server: Server = createServer();
  server.on('connection', prepare);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let body = '';
  const request = new Promise<IncomingMessage>((resolve) => {
    server.on('request', (incoming: IncomingMessage, response) => {
      if (incoming.url === '/other') {
        response.end('over');
        return;
      }
      paceReads(incoming.socket, turns);
      incoming.on('data', (piece: Buffer) => {
        body += piece;
        work();
      });
      incoming.on('error', () => {});
      incoming.on('end', () => response.end('done'));
      resolve(incoming);
    });
  });
  const client = connect(port, '127.0.0.1');
  client.on('error', () => {});
  client.write(HEAD);
  const incoming = await request;
  return {
    client,
    turns,
    incoming,
    body: () => body,
    async settled() {
      await (await fetch(`http://127.0.0.1:${port}/other`)).text();
    },
    async [Symbol.asyncDispose]() {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const until = async (test: () => boolean): Promise<void> => {
  while (!test()) await new Promise((resolve) => setTimeout(resolve, 1));
};

/** Blocks the thread. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('a paced connection', () => {
  it('is not read before its turn, though its body is consumed', async () => {
    await using exchange = await pacedExchange();
    await exchange.turns.waits();
    exchange.client.write('1\r\na\r\n');
    await exchange.settled();
    await exchange.settled();
    expect(exchange.body()).toBe('');
    await exchange.turns.give();
    await until(() => exchange.body() === 'a');
  });

  it('is paced by what Node documents: without its private flag of paused connections, too', async () => {
    const isKept: boolean[] = [];
    await using exchange = await pacedExchange(undefined, (socket) => {
      isKept.push(Reflect.deleteProperty(socket, '_paused'));
    });
    const { turns, client } = exchange;
    await turns.waits();
    client.write('1\r\na\r\n');
    await exchange.settled();
    expect(exchange.body()).toBe('');
    await turns.give();
    await until(() => exchange.body() === 'a');
    expect(isKept).toContain(true);
  });

  it('waits again after each read that takes long, and says how long it took', async () => {
    await using exchange = await pacedExchange(() => block(5));
    const { turns, client } = exchange;
    for (const letter of 'abc') {
      await turns.give();
      client.write(`1\r\n${letter}\r\n`);
      await turns.waits();
    }
    expect(exchange.body()).toBe('abc');
    expect(turns.used).toHaveLength(4);
    expect(Math.min(...turns.used.slice(1))).toBeGreaterThanOrEqual(4.9);
  });

  it('reads a body to its end, and the next request', async () => {
    await using exchange = await pacedExchange();
    const { turns, client } = exchange;
    let received = '';
    client.on('data', (chunk) => {
      received += chunk;
    });
    await turns.give();
    client.write(`${'1\r\na\r\n'.repeat(100)}0\r\n\r\n`);
    // a busy machine may make any read long
    while (!received.includes('done')) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      turns.waiting.shift()?.();
    }
    expect(exchange.body()).toBe('a'.repeat(100));
    client.write('GET /other HTTP/1.1\r\nHost: a\r\n\r\n');
    while (!received.includes('over')) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      turns.waiting.shift()?.();
    }
  });
});
