import type { IncomingMessage, ServerResponse as NodeResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { type ResponseBody, type ServerResponse, sizeOfPieces } from '@ashlar/core';
import { holdReads } from '../connection/held-reads.ts';
import { paceReads } from '../connection/paced-reads.ts';
import { Http1Parts } from '../request/http1-parts.ts';
import { NodeRequest } from '../request/node-request.ts';
import { announcedLength } from '../request/request-body.ts';
import { sendComplete } from '../response/complete-response.ts';
import { endWithPieces, JOINED_BYTES } from '../response/gathered-write.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { handlerFailure } from './handler-failure.ts';
import { beginLastResponse, hasLastResponse, lingerAtEnd } from './linger.ts';
import { refusalOfHttp1 } from './refused-head.ts';
import type { Framing } from './shared-frame.ts';
import { type SinkTarget, StreamSink } from './stream-sink.ts';

/**
 * Answers one request of HTTP/1.1: at once if it has a body or is refused for its head, otherwise in a round with others that have arrived.
 * Never throws.
 */
export function answerHttp1(
  context: ExchangeContext,
  incoming: IncomingMessage,
  outgoing: NodeResponse,
  sendContinue?: () => void,
): void {
  const { pipelines, rounds, turns } = context;
  const { socket } = incoming;
  const refusal = refusalOfHttp1(incoming, context.maximumHeaderLines);
  const begin = (): void => answer(context, incoming, outgoing, sendContinue, refusal);
  // after a response with `Connection: close`, further requests are ignored (RFC 9112 section 9.6)
  if (pipelines.isPipelined(socket, outgoing))
    pipelines.add(socket, outgoing, () => hasLastResponse(socket) || begin());
  else if (!hasLastResponse(socket)) {
    turns.requestBegan();
    if (refusal || hasBody(incoming)) begin();
    else rounds.add(undefined, begin);
  }
}

function answer(
  context: ExchangeContext,
  incoming: IncomingMessage,
  outgoing: NodeResponse,
  sendContinue: (() => void) | undefined,
  refusal: ServerResponse | undefined,
): void {
  if (outgoing.destroyed) return;
  const request = new NodeRequest(new Http1Parts(context, incoming, outgoing, sendContinue));
  // a body may arrive in chunks of a byte
  if (request.headers.get('transfer-encoding') !== undefined) paceReads(incoming.socket, context.turns);
  if (refusal) endAfter(incoming, outgoing);
  try {
    const response = refusal ?? context.handler(request);
    if (response instanceof Promise) {
      if (request.url.length + request.headers.size > LARGE_HEAD_CHARACTERS)
        readNoFurther(incoming, outgoing);
      void respondAsync(context, request, incoming, outgoing, response);
    } else if (refusal || hasBody(incoming))
      // what follows an unread body is not read any more
      respond(context, request, incoming, outgoing, response);
    else context.schedule.respondReady(() => respondOrFail(context, request, incoming, outgoing, response));
  } catch (error) {
    fail(context, request, incoming, outgoing, error);
  }
}

/** Whether a request has header fields of a body. Most names are told apart by their length. */
function hasBody({ rawHeaders }: IncomingMessage): boolean {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 14 && name.length !== 17) continue;
    const lowerCase = name.toLowerCase();
    if (lowerCase === 'content-length' || lowerCase === 'transfer-encoding') return true;
  }
  return false;
}

/** From this size of a header on, the connection waits for the response before the next request is read. */
const LARGE_HEAD_CHARACTERS = 16 * 1024;

/** Otherwise a further request of the same size would be read ahead of its turn. None can follow before a body is read. */
function readNoFurther(incoming: IncomingMessage, outgoing: NodeResponse): void {
  // a request without a body is complete after its handler has been called
  process.nextTick(() => {
    if (incoming.complete && !outgoing.closed) outgoing.once('close', holdReads(incoming.socket));
  });
}

async function respondAsync(
  context: ExchangeContext,
  request: NodeRequest,
  incoming: IncomingMessage,
  outgoing: NodeResponse,
  pending: Promise<ServerResponse>,
): Promise<void> {
  try {
    const response = await pending;
    context.schedule.respond(() => respondOrFail(context, request, incoming, outgoing, response));
  } catch (error) {
    fail(context, request, incoming, outgoing, error);
  }
}

/** Writes a response, or that of a failure if it cannot be written; nothing if the client has disconnected. Never throws. */
export function respondOrFail(
  context: ExchangeContext,
  request: NodeRequest,
  incoming: IncomingMessage,
  outgoing: NodeResponse,
  response: ServerResponse,
): void {
  try {
    if (!outgoing.destroyed) respond(context, request, incoming, outgoing, response);
  } catch (error) {
    fail(context, request, incoming, outgoing, error);
  }
}

function endAfter(incoming: IncomingMessage, outgoing: NodeResponse): void {
  beginLastResponse(incoming.socket);
  outgoing.shouldKeepAlive = false;
}

function fail(
  context: ExchangeContext,
  request: NodeRequest,
  incoming: IncomingMessage,
  outgoing: NodeResponse,
  error: unknown,
): void {
  // a handler may fail because its client has disconnected
  if (outgoing.destroyed) return;
  context.onError(error);
  if (outgoing.headersSent) outgoing.destroy();
  else respond(context, request, incoming, outgoing, handlerFailure);
}

function respond(
  context: ExchangeContext,
  request: NodeRequest,
  incoming: IncomingMessage,
  outgoing: NodeResponse,
  response: ServerResponse,
): void {
  if (context.draining) endAfter(incoming, outgoing);
  if (!incoming.complete) leaveBody(request, incoming, outgoing);
  const { status, headers, body } = response;
  if (typeof body === 'function') {
    outgoing.writeHead(status, headerLines(headers, undefined));
    if (incoming.method === 'HEAD') outgoing.end();
    else stream(context, request, outgoing, body);
    return;
  }
  const size = body === undefined ? 0 : body instanceof Uint8Array ? body.length : sizeOfPieces(body);
  const hasBody = body !== undefined && incoming.method !== 'HEAD';
  if (hasBody && context.ownsServer && sendComplete(outgoing, response, body, size)) return;
  outgoing.writeHead(status, headerLines(headers, hasNoLength(status, body) ? undefined : size));
  if (!hasBody) outgoing.end();
  else if (body instanceof Uint8Array && size <= JOINED_BYTES) outgoing.end(body);
  else {
    // what is written together with the head is copied once more
    if (size > JOINED_BYTES) outgoing.flushHeaders();
    endWithPieces(outgoing, body instanceof Uint8Array ? [body] : body, size);
  }
}

/** Statuses without a body have no Content-Length (RFC 9110 section 8.6). */
function hasNoLength(status: number, body: ResponseBody | undefined): boolean {
  return body === undefined && (status === 204 || status === 304 || status < 200);
}

/** Alternating names and values, which Node writes without further processing. */
function headerLines(headers: ServerResponse['headers'], length: number | undefined): string[] {
  const lines: string[] = [];
  let hasLength = length === undefined;
  for (const name in headers) {
    const value = headers[name] as string | readonly string[];
    if (name === 'content-length') hasLength = true;
    if (typeof value === 'string') lines.push(name, value);
    else for (const line of value) lines.push(name, line);
  }
  if (!hasLength) lines.push('content-length', String(length));
  return lines;
}

function stream(
  context: ExchangeContext,
  request: NodeRequest,
  outgoing: NodeResponse,
  body: Extract<ResponseBody, (...parameters: never) => unknown>,
): void {
  const sink = new StreamSink(new Http1Target(outgoing), context.schedule, context.sinkHighWaterMark);
  context.streams.set(sink, request);
  outgoing.once('close', () => {
    context.streams.delete(sink);
    sink.closed();
  });
  outgoing.flushHeaders();
  body(sink);
}

/**
 * Writes frames to the socket as complete chunks, bypassing Node's chunking: the frame for one watcher is
 * shared by all, and the socket gets one buffer instead of three (measured over TLS, four events per write:
 * 270,000 events per CPU-second to 500 sockets, 213,000 through Node's chunking).
 */
class Http1Target implements SinkTarget {
  readonly #response: NodeResponse;

  constructor(response: NodeResponse) {
    this.#response = response;
  }

  get writable(): Writable {
    return this.#response.socket ?? this.#response;
  }

  get framing(): Framing {
    return this.#response.socket && this.#response.chunkedEncoding ? 'chunk' : 'plain';
  }

  end(): void {
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }
}

/** An unread body up to this length is drained, so that the connection can be reused. */
const READ_AWAY_BYTES = 256 * 1024;

/** Stops reading an unused body. */
function leaveBody(request: NodeRequest, incoming: IncomingMessage, outgoing: NodeResponse): void {
  const announced = request.headers.get('content-length');
  // neither header: there is no body (RFC 9112 section 6.3)
  if (announced === undefined && request.headers.get('transfer-encoding') === undefined) return;
  const length = announcedLength(announced);
  const isShort = length !== undefined && length <= READ_AWAY_BYTES;
  if (!request.giveUpBody() && isShort && !request.awaitsContinue) return;
  const { socket } = incoming;
  endAfter(incoming, outgoing);
  lingerAtEnd(socket);
}
