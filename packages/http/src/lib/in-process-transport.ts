import {
  type ByteSink,
  type Handler,
  type RequestHeaders,
  type ServerRequest,
  type ServerResponse,
  StatusError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@ashlar/core';

const EMPTY = new Uint8Array(0);

/**
 * A transport that calls a handler instead of a network: clients, informers and controllers against a server in the same
 * process, without a socket. The address of a request counts for nothing but its path and query.
 * @example
 * const transport = createInProcessTransport(server.handler);
 * await transport.request('http://server/api/v1/namespaces', { method: 'GET' });
 */
export function createInProcessTransport(handler: Handler): Transport {
  return {
    async request(url, request) {
      request.signal?.throwIfAborted();
      const response = await handler(toServerRequest(url, request));
      return toTransportResponse(response, request.signal);
    },
  };
}

function toServerRequest(
  url: string,
  { method, headers = {}, body = EMPTY, signal }: TransportRequest,
): ServerRequest {
  const { pathname, search } = new URL(url);
  return {
    method,
    url: pathname + search,
    headers: toHeaders(headers),
    connection: { encrypted: true },
    signal: signal ?? new AbortController().signal,
    async body(limit) {
      if (body.length > limit) throw StatusError.requestEntityTooLarge(`limit is ${limit}`);
      return body;
    },
  };
}

function toHeaders(headers: Readonly<Record<string, string | readonly string[]>>): RequestHeaders {
  const lines = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(headers))
    lines.set(name.toLowerCase(), typeof value === 'string' ? [value] : value);
  return {
    get: (name) => lines.get(name.toLowerCase())?.[0],
    all: (name) => lines.get(name.toLowerCase()) ?? [],
    *entries() {
      for (const [name, values] of lines) for (const value of values) yield [name, value] as const;
    },
  };
}

function toTransportResponse(
  { status, headers, body }: ServerResponse,
  signal: AbortSignal | undefined,
): TransportResponse {
  const plain = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.join(', '),
  ]);
  const stream = (): AsyncIterable<Uint8Array> =>
    typeof body === 'function' ? streamed(body, signal) : pieces(body);
  return { status, headers: Object.fromEntries(plain), stream, body: async () => concatenated(stream()) };
}

async function* pieces(body: Uint8Array | readonly Uint8Array[] | undefined): AsyncIterable<Uint8Array> {
  if (body instanceof Uint8Array) yield body;
  else if (body) yield* body;
}

async function concatenated(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  if (parts.length === 1) return parts[0] as Uint8Array;
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Hands on what a body writes as it writes it, until it ends, the reader stops or the signal is aborted. */
async function* streamed(
  run: (sink: ByteSink) => void,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  signal?.throwIfAborted();
  const queue = new SinkQueue();
  const abort = (): void => queue.destroy();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    run(queue);
    yield* queue;
  } finally {
    signal?.removeEventListener('abort', abort);
    queue.destroy();
  }
}

class SinkQueue implements ByteSink, AsyncIterable<Uint8Array> {
  #waiting: Uint8Array[] = [];
  #buffered = 0;
  #over = false;
  #wake: (() => void) | undefined;
  readonly #closing: (() => void)[] = [];
  readonly #draining: (() => void)[] = [];

  get buffered(): number {
    return this.#buffered;
  }

  write(bytes: Uint8Array): boolean {
    if (this.#over) return false;
    this.#waiting.push(bytes);
    this.#buffered += bytes.length;
    this.#wake?.();
    return true;
  }

  onDrain(call: () => void): void {
    this.#draining.push(call);
  }

  onClose(call: () => void): void {
    this.#closing.push(call);
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#wake?.();
    for (const call of this.#closing) call();
  }

  destroy(): void {
    this.#waiting = [];
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#buffered = 0;
      yield* batch;
      if (this.#waiting.length > 0) continue;
      for (const call of this.#draining.splice(0)) call();
      if (this.#over) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
