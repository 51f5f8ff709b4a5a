import type { ServerResponse as NodeResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Rounds, Turns } from '@ashlar/core';
import { currentResponse } from './current-response.ts';
import { holdReads } from './held-reads.ts';

/** How many pipelined requests of a connection are handled at once. Each may hold a response that is not read. */
const MAXIMUM_OPEN = 16;

/** A request that waits for its turn. */
interface Waiting {
  readonly outgoing: NodeResponse;
  readonly begin: () => void;
}

/**
 * Pipelined requests of HTTP/1.1. Node parses at once all that it has read, which may be thousands of requests: they begin in rounds, in
 * their order and a few at a time, and nothing more is read of their connection meanwhile. Node sends the responses in the same order.
 */
export class Pipelines {
  readonly #rounds: Pick<Rounds<object>, 'add'>;
  readonly #readTurns: Turns;
  readonly #waiting: WeakMap<Socket, Waiting[]> = new WeakMap();
  /** Responses behind which another request has begun before they were sent. */
  readonly #followed: WeakSet<NodeResponse> = new WeakSet();

  /** @param readTurns turns in which connections are read again */
  constructor(rounds: Pick<Rounds<object>, 'add'>, readTurns: Turns) {
    this.#rounds = rounds;
    this.#readTurns = readTurns;
  }

  /**
   * Whether a request is a pipelined one: an earlier response of its connection was not complete when it arrived. A client that sends one
   * request after the other may have received a response before Node knows that it was sent: it does not wait.
   */
  isPipelined(socket: Socket, outgoing: NodeResponse): boolean {
    if (outgoing.socket !== null) return false;
    const current = currentResponse(socket);
    if (!current?.writableEnded || this.#followed.has(current) || this.#waiting.has(socket)) return true;
    this.#followed.add(current);
    return false;
  }

  /** Begins a request, after those of its connection that wait. */
  add(socket: Socket, outgoing: NodeResponse, begin: () => void): void {
    const waiting = this.#waiting.get(socket);
    if (waiting) waiting.push({ outgoing, begin });
    else {
      const first = [{ outgoing, begin }];
      this.#waiting.set(socket, first);
      void this.#run(socket, first);
    }
  }

  async #run(socket: Socket, waiting: Waiting[]): Promise<void> {
    const release = holdReads(socket);
    using open = new OpenResponses(socket);
    // Node may still be parsing what it had read when the first ones have begun
    for (let begun = 0; begun < waiting.length; await this.#readTurns.pause())
      for (; begun < waiting.length; begun++) {
        const { outgoing, begin } = waiting[begun] as Waiting;
        await open.room();
        if (socket.destroyed) return;
        open.add(outgoing);
        await this.#begin(socket, begin);
      }
    this.#waiting.delete(socket);
    release();
  }

  /** Of each connection, one waits at a time. */
  #begin(socket: Socket, begin: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#rounds.add(undefined, () => {
        if (!socket.destroyed) begin();
        resolve();
      });
    });
  }
}

/** Responses of a connection that have not been sent. */
class OpenResponses implements Disposable {
  readonly #socket: Socket;
  #count = 0;
  #proceed: () => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('close', this.#socketClosed);
  }

  add(outgoing: NodeResponse): void {
    this.#count++;
    outgoing.once('close', () => {
      this.#count--;
      this.#proceed();
    });
  }

  /** Resolves when another one may be added, or the connection is closed. */
  async room(): Promise<void> {
    while (this.#count >= MAXIMUM_OPEN && !this.#socket.destroyed)
      await new Promise<void>((resolve) => {
        this.#proceed = resolve;
      });
  }

  [Symbol.dispose](): void {
    this.#socket.off('close', this.#socketClosed);
  }

  readonly #socketClosed = (): void => this.#proceed();
}
