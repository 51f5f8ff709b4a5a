import { gatheredBytes, type TransportResponse } from '@ashlar/core';
import type { ResponseHead } from './response-head.ts';

/** How much of a body is kept for a reader that does not read, before no more is taken from the connection. */
const BUFFERED_BYTES = 1024 * 1024;
/** Memory of a piece besides its bytes. */
const PIECE_BYTES = 128;

/** What a response tells its connection. */
export interface ResponseSource {
  pause(): void;
  resume(): void;
  /** The reader has left before the end. */
  abandon(): void;
}

/** A response whose head has arrived. */
export class CallResponse implements TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #source: ResponseSource;
  #pieces: Buffer[] = [];
  #buffered = 0;
  #isPaused = false;
  #end: 'open' | 'complete' | { readonly error: unknown } = 'open';
  #wake: (() => void) | undefined;

  constructor({ status, headers }: ResponseHead, source: ResponseSource) {
    this.status = status;
    this.headers = headers;
    this.#source = source;
  }

  /** A piece of the body has arrived. */
  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#buffered += piece.length + PIECE_BYTES;
    if (this.#buffered > BUFFERED_BYTES && !this.#isPaused) {
      this.#isPaused = true;
      this.#source.pause();
    }
    this.#wake?.();
  }

  /** The body is complete. */
  complete(): void {
    if (this.#end === 'open') this.#end = 'complete';
    this.#wake?.();
  }

  /** The rest of the body will not arrive. */
  fail(error: unknown): void {
    if (this.#end === 'open') this.#end = { error };
    this.#wake?.();
  }

  body(): Promise<Uint8Array> {
    return gatheredBytes(this.stream());
  }

  async *stream(): AsyncIterable<Uint8Array> {
    try {
      for (;;) {
        const pieces = this.#take();
        for (const piece of pieces) yield piece;
        if (pieces.length > 0) continue;
        if (this.#end === 'complete') return;
        if (this.#end !== 'open') throw this.#end.error;
        await this.#change();
      }
    } finally {
      if (this.#end === 'open') this.#source.abandon();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #take(): readonly Buffer[] {
    const pieces = this.#pieces;
    if (pieces.length === 0) return pieces;
    this.#pieces = [];
    this.#buffered = 0;
    if (this.#isPaused && this.#end === 'open') this.#source.resume();
    this.#isPaused = false;
    return pieces;
  }
}
