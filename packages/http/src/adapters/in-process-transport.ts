import {
  type BodyPieces,
  type ByteSink,
  type Handler,
  type RequestHeaders,
  type ServerRequest,
  type ServerResponse,
  StatusError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  unlessAborted,
} from '@ashlar/core';
import { concatenated } from '../encoding/concatenated.ts';
import { WRITING_METHODS } from '../request/writing-methods.ts';
import { SinkQueue } from '../verbs/sink-queue.ts';

const EMPTY = new Uint8Array(0);

/** Who uses a transport in the same process. */
export interface InProcessOptions {
  /** Whether background work of the server makes the requests. Default: false */
  readonly isBackground?: boolean;
}

/**
 * Creates a transport that calls a handler in the same process instead of using the network, for clients, informers and controllers.
 * Only path and query of the URL of a request are used.
 * @example
 * const transport = createInProcessTransport(server.handler);
 * await transport.request('http://server/api/v1/namespaces', { method: 'GET' });
 */
export function createInProcessTransport(
  handler: Handler,
  { isBackground = false }: InProcessOptions = {},
): Transport {
  return {
    async request(url, request) {
      const { method, signal } = request;
      const received = { ...toServerRequest(url, request), isBackground };
      const response = await unlessAborted(() => handler(received), signal);
      return toTransportResponse(method === 'HEAD' ? withoutBody(response) : response, signal);
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
    headers: toHeaders({ ...lengthOf(method, body), ...headers }),
    connection: { encrypted: true },
    signal: signal ?? new AbortController().signal,
    async body(limit) {
      if (body.length > limit) throw StatusError.requestEntityTooLarge(`limit is ${limit}`);
      return body;
    },
  };
}

/** The length of a body, which clients send with writes also where there is none. */
function lengthOf(method: string, body: Uint8Array): Readonly<Record<string, string>> {
  return body.length > 0 || WRITING_METHODS.has(method) ? { 'content-length': String(body.length) } : {};
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

function withoutBody({ status, headers }: ServerResponse): ServerResponse {
  return { status, headers };
}

function toTransportResponse(
  { status, headers, body }: ServerResponse,
  signal: AbortSignal | undefined,
): TransportResponse {
  const headerLines = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.join(', '),
  ]);
  const stream = (): AsyncIterable<Uint8Array> =>
    typeof body === 'function' ? streamed(body, signal) : pieces(body);
  return { status, headers: Object.fromEntries(headerLines), stream, body: () => readAll(stream()) };
}

async function* pieces(body: Uint8Array | BodyPieces | undefined): AsyncIterable<Uint8Array> {
  if (body instanceof Uint8Array) yield body;
  else if (body) yield* body;
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return concatenated(parts);
}

/**
 * Yields what a body writes, as it is written, until it ends or the consumer stops.
 * @throws the reason of the signal when it is aborted
 */
async function* streamed(
  run: (sink: ByteSink) => void,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  const queue = new SinkQueue();
  const abort = (): void => queue.fail(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    run(queue);
    yield* queue;
  } finally {
    signal?.removeEventListener('abort', abort);
    queue.destroy();
  }
}
