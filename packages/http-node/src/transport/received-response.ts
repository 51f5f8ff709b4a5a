import type { Readable } from 'node:stream';
import { gatheredBytes, type TransportResponse } from '@ashlar/core';

type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A response whose header has arrived. */
export class ReceivedResponse implements TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #incoming: Readable;
  readonly #signal: AbortSignal | undefined;

  /** @param incoming the body; @param signal of the request */
  constructor(status: number, headers: ReceivedHeaders, incoming: Readable, signal: AbortSignal | undefined) {
    this.status = status;
    this.headers = joinedHeaders(headers);
    this.#incoming = incoming;
    this.#signal = signal;
    // errors of a response that is no longer read are ignored
    incoming.on('error', () => {});
  }

  body(): Promise<Uint8Array> {
    return gatheredBytes(this.stream());
  }

  async *stream(): AsyncIterable<Uint8Array> {
    try {
      yield* this.#incoming as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw this.#signal?.aborted ? this.#signal.reason : error;
    }
  }
}

function joinedHeaders(received: ReceivedHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(received)) {
    // HTTP/2 includes pseudo-headers
    if (!name.startsWith(':')) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
}
