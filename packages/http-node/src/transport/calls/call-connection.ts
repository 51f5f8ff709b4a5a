import type { TLSSocket } from 'node:tls';
import type { TransportResponse } from '@ashlar/core';
import { CallResponse } from './call-response.ts';
import { ResponseParser } from './response-parser.ts';

/** A request that is being answered. */
interface Exchange {
  readonly parser: ResponseParser;
  readonly resolve: (response: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
  readonly signal: AbortSignal | undefined;
  answer: CallResponse | undefined;
}

/** What a pool does with its connections. */
export interface ConnectionOwner {
  /** The connection can take the next request. @param idleMilliseconds how long its server keeps it, if it says so */
  idle(connection: CallConnection, idleMilliseconds: number | undefined): void;
  /** The connection has ended. */
  gone(connection: CallConnection): void;
}

/** A connection that takes requests of HTTP/1.1 one after another. */
export class CallConnection {
  readonly #socket: TLSSocket;
  readonly #owner: ConnectionOwner;
  readonly #explain: (error: Error) => Error;
  #exchange: Exchange | undefined;
  #error: Error | undefined;
  #usableUntil = 0;

  /** @param explain returns the error that callers see */
  constructor(socket: TLSSocket, owner: ConnectionOwner, explain: (error: Error) => Error) {
    this.#socket = socket;
    this.#owner = owner;
    this.#explain = explain;
    socket.setNoDelay(true);
    // notices a server that disappeared while the connection was idle
    socket.setKeepAlive(true, 1000);
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('end', () => this.#end());
    socket.on('error', (error) => {
      this.#error ??= this.#explain(error);
    });
    socket.on('close', () => this.#close());
  }

  /** Sends a request. @throws Error of the connection, or the reason of the signal */
  send(head: string, body: Uint8Array, signal: AbortSignal | undefined): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      this.#exchange = { parser: new ResponseParser(), resolve, reject, signal, answer: undefined };
      signal?.addEventListener('abort', this.#abort, { once: true });
      const socket = this.#socket;
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body);
      socket.uncork();
    });
  }

  /** Ends the connection after some idle time, and does not keep the process alive for it. */
  wait(milliseconds: number): void {
    this.#usableUntil = performance.now() + milliseconds;
    this.#socket.unref();
    this.#socket.setTimeout(milliseconds, this.#expire);
  }

  /** Returns whether an idle connection can still be used, and ends the waiting. */
  take(): boolean {
    if (this.#socket.destroyed || performance.now() > this.#usableUntil) return false;
    this.#socket.ref();
    this.#socket.setTimeout(0, this.#expire);
    return true;
  }

  destroy(error?: Error): void {
    this.#socket.destroy(error);
  }

  readonly #expire = (): void => {
    if (!this.#exchange) this.#socket.destroy();
  };

  readonly #abort = (): void => {
    const { signal } = this.#exchange ?? {};
    this.#fail(signal?.reason);
    this.#socket.destroy();
  };

  #receive(bytes: Buffer): void {
    const exchange = this.#exchange;
    if (!exchange) {
      // nobody asked
      this.#socket.destroy();
      return;
    }
    try {
      const early: Buffer[] = [];
      exchange.parser.push(bytes, (piece) => {
        if (exchange.answer) exchange.answer.add(piece);
        else early.push(piece);
      });
      this.#answer(exchange, early);
    } catch (error) {
      this.#fail(error);
      this.#socket.destroy();
    }
  }

  #answer(exchange: Exchange, early: readonly Buffer[]): void {
    const { head, isComplete } = exchange.parser;
    if (!head) return;
    if (!exchange.answer) {
      const socket = this.#socket;
      exchange.answer = new CallResponse(head, {
        pause: () => socket.pause(),
        resume: () => socket.resume(),
        abandon: () => socket.destroy(),
      });
      for (const piece of early) exchange.answer.add(piece);
      exchange.resolve(exchange.answer);
    }
    if (isComplete) this.#complete(exchange);
  }

  #complete({ answer, parser, signal }: Exchange): void {
    this.#exchange = undefined;
    signal?.removeEventListener('abort', this.#abort);
    answer?.complete();
    // a reader that has not read the end does not hold up the next request
    if (this.#socket.isPaused()) this.#socket.resume();
    const isReusable = parser.head?.keepsAlive && !parser.hasSurplus && !this.#socket.writableLength;
    if (!isReusable) this.#socket.destroy();
    else this.#owner.idle(this, idleTime(parser.head?.headers['keep-alive']));
  }

  /** The server sends nothing more. */
  #end(): void {
    const exchange = this.#exchange;
    if (exchange?.parser.end()) this.#complete(exchange);
    this.#socket.destroy();
  }

  #close(): void {
    this.#fail(this.#error ?? Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    this.#owner.gone(this);
  }

  #fail(error: unknown): void {
    const exchange = this.#exchange;
    if (!exchange) return;
    this.#exchange = undefined;
    exchange.signal?.removeEventListener('abort', this.#abort);
    if (exchange.answer) exchange.answer.fail(error);
    else exchange.reject(error);
  }
}

/** How long a server keeps an idle connection, by its header `keep-alive`; undefined if it does not say. */
function idleTime(header: string | undefined): number | undefined {
  const [, seconds] = /\btimeout=(\d{1,6})\b/.exec(header ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
