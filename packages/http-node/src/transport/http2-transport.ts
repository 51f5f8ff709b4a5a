import { type ClientHttp2Stream, constants } from 'node:http2';
import {
  type MaybePromise,
  type TransportRequest,
  type TransportResponse,
  type TransportTls,
  unlessAborted,
} from '@ashlar/core';
import { explainTlsFailure } from './explain-tls-failure.ts';
import { type Http2Connection, Http2Connections } from './http2-connections.ts';
import { isRepeatable, type NodeTransport } from './node-transport.ts';
import { ReceivedResponse } from './received-response.ts';

export interface Http2TransportOptions {
  /** Defaults of all requests. */
  readonly tls?: TransportTls;
  /** How long idle connections stay open. Default 60,000. */
  readonly keepAliveMilliseconds?: number;
}

/**
 * Outgoing calls over HTTP/2: all requests to one server share a connection, including watches, and open
 * another where it has as many as the server takes at once. For servers that are known to support it, over TLS.
 *
 * @throws Error of Node from `request`, such as `ECONNREFUSED`, or the reason of the signal
 * @example
 * using transport = createHttp2Transport({ tls: { certificateAuthorities } });
 * const response = await transport.request('https://localhost:6443/version', { method: 'GET' });
 */
export function createHttp2Transport(options: Http2TransportOptions = {}): NodeTransport {
  const connections = new Http2Connections(options.keepAliveMilliseconds ?? 60_000);
  const { tls = {} } = options;
  return {
    async request(url, request) {
      const target = new URL(url);
      if (target.protocol !== 'https:')
        throw new TypeError(`an HTTP/2 transport only supports https URLs, not ${url}`);
      const open = () => connections.open(target.origin, request.tls ?? tls, request.proxy);
      const { connection, isUnused, response } = await sendRequest(open, target, request);
      try {
        return await response;
      } catch (error) {
        const isStale = !isUnused && !connection.isOpen && isRepeatable(request.method);
        if (!isStale && !(error instanceof RefusedStream)) throw error;
        return (await sendRequest(open, target, request)).response;
      }
    },
    closeConnections: (certificate) => connections.retire(certificate),
    close: () => connections.close(),
    [Symbol.dispose]: () => connections.close(),
  };
}

/** A request on its way. */
interface Sent {
  readonly connection: Http2Connection;
  /** Whether it is the first of the connection. */
  readonly isUnused: boolean;
  readonly response: Promise<TransportResponse>;
}

async function sendRequest(
  open: () => MaybePromise<Http2Connection>,
  url: URL,
  request: TransportRequest,
): Promise<Sent> {
  for (;;) {
    const connection = await unlessAborted(open, request.signal);
    // others may have waited for the same connection
    if (connection.hasRoom || !connection.isOpen)
      return { connection, isUnused: !connection.isUsed, response: responseOver(connection, url, request) };
  }
}

function responseOver(
  connection: Http2Connection,
  url: URL,
  request: TransportRequest,
): Promise<TransportResponse> {
  const { body, signal } = request;
  const stream = connection.request(headOf(url, request), {
    endStream: body === undefined,
    ...(signal && { signal }),
  });
  const response = answerOf(stream, signal, url.origin);
  if (body !== undefined) stream.end(body);
  return response;
}

function headOf(url: URL, { method, headers, body }: TransportRequest): Record<string, string | string[]> {
  return {
    ...(headers as Record<string, string | string[]>),
    ...(body && { 'content-length': String(body.length) }),
    ':method': method,
    ':path': url.pathname + url.search,
  };
}

/** The server was closing the connection and has not processed the request (RFC 9113, section 8.7). */
class RefusedStream extends Error {}

function answerOf(
  stream: ClientHttp2Stream,
  signal: AbortSignal | undefined,
  origin: string,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(signal?.aborted ? signal.reason : failureOf(stream.rstCode, error, origin));
    stream.once('response', ({ ':status': status = 0, ...headers }) =>
      resolve(new ReceivedResponse(status, headers, stream, signal)),
    );
    stream.once('error', fail);
    stream.once('close', () => fail(new Error('the connection ended without a response')));
  });
}

/** If there is no connection, the stream gets the error. */
function failureOf(code: number, error: Error, origin: string): unknown {
  if (code === constants.NGHTTP2_REFUSED_STREAM) return new RefusedStream(error.message);
  const reason = error.cause ?? error;
  return reason instanceof Error ? explainTlsFailure(reason, origin) : reason;
}
