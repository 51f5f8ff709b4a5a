import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Writable } from 'node:stream';
import { type ServerResponse, sizeOfPieces } from '@ashlar/core';
import { NodeRequest } from '../request/node-request.ts';
import { endWithPieces, SLAB_BYTES } from '../response/gathered-write.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { handlerFailure } from './handler-failure.ts';
import { connectionOf } from './node-connection.ts';
import { refusalOfHttp2 } from './refused-head.ts';
import type { Framing } from './shared-frame.ts';
import { type SinkTarget, StreamSink } from './stream-sink.ts';

/** A new stream of Node. */
export interface Http2Opening {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly flags: number;
  readonly rawHeaders: readonly string[];
}

/** Answers one request of HTTP/2. Never rejects. */
export async function answerHttp2(context: ExchangeContext, opening: Http2Opening): Promise<void> {
  const { stream, headers, flags, rawHeaders } = opening;
  const socket = stream.session?.socket;
  // it may have been reset while it waited for its turn
  if (!socket || stream.destroyed) return;
  const request = new NodeRequest({
    method: headers[':method'] as string,
    target: headers[':path'] ?? '*',
    rawHeaders,
    connection: connectionOf(socket, context.ownHosts),
    stream,
    answer: stream,
    silenceMilliseconds: context.silenceMilliseconds,
    ended: (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0,
    ...(headers.expect === '100-continue' && {
      sendContinue: () => stream.additionalHeaders({ ':status': 100 }),
    }),
  });
  try {
    const response = refusalOfHttp2(rawHeaders) ?? context.handler(request);
    if (response instanceof Promise) {
      const answer = await response;
      context.schedule.respond(() => respondOrFail(context, request, stream, answer));
    } else respondOrFail(context, request, stream, response);
  } catch (error) {
    fail(context, request, stream, error);
  }
}

function respondOrFail(
  context: ExchangeContext,
  request: NodeRequest,
  stream: ServerHttp2Stream,
  response: ServerResponse,
): void {
  try {
    if (!stream.destroyed) respond(context, request, stream, response);
  } catch (error) {
    fail(context, request, stream, error);
  }
}

function fail(
  context: ExchangeContext,
  request: NodeRequest,
  stream: ServerHttp2Stream,
  error: unknown,
): void {
  if (stream.destroyed) return;
  context.onError(error);
  if (stream.headersSent) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else respond(context, request, stream, handlerFailure);
}

function respond(
  context: ExchangeContext,
  request: NodeRequest,
  stream: ServerHttp2Stream,
  response: ServerResponse,
): void {
  const { status, headers, body } = response;
  const fields = headerFields(status, headers);
  leaveBody(request, stream);
  if (headers.connection === 'close') stream.session?.close();
  if (typeof body === 'function') {
    stream.respond(fields, { endStream: request.method === 'HEAD' });
    if (request.method !== 'HEAD') pour(context, request, stream, body);
    return;
  }
  const size = body === undefined ? 0 : body instanceof Uint8Array ? body.length : sizeOfPieces(body);
  if (body !== undefined) fields['content-length'] ??= size;
  const over = size === 0 || request.method === 'HEAD';
  stream.respond(fields, { endStream: over });
  if (over || body === undefined) return;
  if (body instanceof Uint8Array && size <= SLAB_BYTES) stream.end(body);
  else endWithPieces(stream, body instanceof Uint8Array ? [body] : body, size);
}

/** Resets a stream that is answered before its body has been received (RFC 9113 section 8.1). */
function leaveBody(request: NodeRequest, stream: ServerHttp2Stream): void {
  if (stream.readableEnded || !request.giveUpBody()) return;
  stream.once('finish', () => {
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  });
}

/** Connection-specific header fields are not allowed in HTTP/2 (RFC 9113 section 8.2.2). */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

function headerFields(status: number, headers: ServerResponse['headers']): OutgoingHttpHeaders {
  const fields: OutgoingHttpHeaders = { ':status': status };
  for (const name in headers) {
    if (CONNECTION_FIELDS.has(name)) continue;
    const value = headers[name] as string | readonly string[];
    fields[name] = typeof value === 'string' ? value : [...value];
  }
  return fields;
}

function pour(
  context: ExchangeContext,
  request: NodeRequest,
  stream: ServerHttp2Stream,
  body: Extract<ServerResponse['body'], (...parameters: never) => unknown>,
): void {
  const sink = new StreamSink(new Http2Target(stream), context.schedule, context.sinkHighWaterMark);
  context.streams.set(sink, request);
  stream.once('close', () => {
    context.streams.delete(sink);
    sink.closed();
  });
  body(sink);
}

class Http2Target implements SinkTarget {
  readonly writable: Writable;
  readonly framing: Framing = 'plain';
  readonly #stream: ServerHttp2Stream;

  constructor(stream: ServerHttp2Stream) {
    this.writable = stream;
    this.#stream = stream;
  }

  end(): void {
    this.#stream.end();
  }

  destroy(): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }
}
