import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportTls,
  unlessAborted,
} from '@ashlar/core';
import { CallConnections } from './calls/call-connections.ts';
import { ConnectionPool } from './connection-pool.ts';
import { explainTlsFailure } from './explain-tls-failure.ts';
import { forwardCall } from './forward-call.ts';
import { ForwardProxy } from './forward-proxy.ts';
import { ReceivedResponse } from './received-response.ts';
import { tlsClientOptions } from './tls-client-options.ts';

/** A transport with connections of its own. */
export interface NodeTransport extends Transport, Disposable {
  /** Closes all idle connections. */
  close(): void;
  closeConnections(certificate: string): void;
}

export interface NodeTransportOptions {
  /** Defaults of all requests. */
  readonly tls?: TransportTls;
  /** A unix socket for every request; the host of the URL is only sent in the header. */
  readonly socketPath?: string;
  /**
   * Maximum number of connections to one host, not counting those being opened through a proxy. Default:
   * unlimited.
   */
  readonly maximumConnections?: number;
  /** How long idle connections stay open. Default 60,000. */
  readonly keepAliveMilliseconds?: number;
}

/**
 * Outgoing calls over HTTP/1.1, with connections reused: by Node's client, but for short calls over TLS. Redirects are not followed; responses of
 * any status are returned.
 *
 * @throws Error of Node from `request`, such as `ECONNREFUSED`, the rejection of a proxy, or the reason of
 * the signal
 * @example
 * using transport = createNodeTransport({ tls: { certificateAuthorities } });
 * const response = await transport.request('https://localhost:6443/version', { method: 'GET' });
 */
export function createNodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  const pool = new ConnectionPool({
    keepAlive: true,
    maxSockets: options.maximumConnections ?? Number.POSITIVE_INFINITY,
    timeout: options.keepAliveMilliseconds ?? 60_000,
    scheduling: 'lifo',
  });
  const calls = new CallConnections(options.keepAliveMilliseconds ?? 60_000);
  const close = (): void => {
    calls.close();
    pool.close();
  };
  return {
    request: async (url, request) => {
      const call = shortCallOf(options, url, request);
      return call ? calls.send(call.target, call.tls, request, call.body) : send(pool, options, url, request);
    },
    closeConnections: (certificate) => pool.retire(certificate),
    forward: (origin, call) => forwardCall(pool, options.tls, origin, call),
    close,
    [Symbol.dispose]: close,
  };
}

const NO_TLS: TransportTls = {};

/** Headers that say where a message goes and ends, which Node's client replaces or honors. */
const FRAMING: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
]);

/** A call that needs nothing of Node's client: POST of a body over https, without a proxy, client certificate or headers of framing. */
interface ShortCall {
  readonly target: URL;
  readonly tls: TransportTls;
  readonly body: Uint8Array;
}

function shortCallOf(
  { tls: ofAll = NO_TLS, socketPath, maximumConnections }: NodeTransportOptions,
  url: string,
  { method, body, headers = {}, proxy, signal, tls = ofAll }: TransportRequest,
): ShortCall | undefined {
  signal?.throwIfAborted();
  if (method !== 'POST' || !body || proxy !== undefined || socketPath !== undefined) return undefined;
  if (Object.keys(headers).some((name) => FRAMING.has(name.toLowerCase()))) return undefined;
  if (tls.certificate !== undefined || tls.key !== undefined || maximumConnections !== undefined)
    return undefined;
  const target = new URL(url);
  const hasUser = target.username !== '' || target.password !== '';
  return target.protocol === 'https:' && !hasUser ? { target, tls, body } : undefined;
}

async function send(
  pool: ConnectionPool,
  options: NodeTransportOptions,
  url: string,
  request: TransportRequest,
): Promise<TransportResponse> {
  request.signal?.throwIfAborted();
  for (;;) {
    try {
      const attemptOnce = () => attempt(pool, options, url, request);
      // Node does not report an abort before there is a connection, for which proxies may take long
      return await (request.proxy === undefined ? attemptOnce() : unlessAborted(attemptOnce, request.signal));
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason;
      if (!(error instanceof StaleConnection)) throw error;
      // each attempt uses up one such connection
      if (!isRepeatable(request.method)) throw error.cause;
    }
  }
}

/** A reused connection that the peer had closed already. */
class StaleConnection extends Error {}

/** Whether an unanswered request may be sent again. */
export function isRepeatable(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

function attempt(
  pool: ConnectionPool,
  options: NodeTransportOptions,
  url: string,
  request: TransportRequest,
): Promise<TransportResponse> {
  const target = new URL(url);
  const encrypted = target.protocol === 'https:';
  if (!encrypted && target.protocol !== 'http:')
    throw new TypeError(`a transport only supports http and https URLs, not ${url}`);
  return new Promise((resolve, reject) => {
    const call = encrypted
      ? callEncrypted(pool, options, target, request)
      : callPlain(pool, options, target, request);
    call.once('response', (incoming) => resolve(receivedResponse(incoming, request.signal)));
    call.on('error', (error: NodeJS.ErrnoException) => {
      const stale = call.reusedSocket && error.code === 'ECONNRESET';
      if (stale) reject(new StaleConnection(error.message, { cause: error }));
      else reject(encrypted ? explainTlsFailure(error, target.origin) : error);
    });
    call.end(request.body);
  });
}

function callPlain(
  pool: ConnectionPool,
  options: NodeTransportOptions,
  target: URL,
  request: TransportRequest,
): ClientRequest {
  const proxy = proxyOf(options, request);
  if (!proxy?.takesRequests)
    return requestHttp(target, {
      ...requestOptions(options, request, pool.unencrypted),
      ...(proxy && { proxy }),
    });
  const agent = proxy.encrypted ? pool.encrypted(undefined) : pool.unencrypted;
  const settings = requestOptions(options, request, agent);
  const call = proxy.encrypted ? requestHttps : requestHttp;
  return call({ ...settings, ...proxy.requestOptions(target, settings.headers) });
}

/** A unix socket needs no proxy. */
function proxyOf(
  { socketPath, tls }: NodeTransportOptions,
  request: TransportRequest,
): ForwardProxy | undefined {
  if (request.proxy === undefined || socketPath !== undefined) return undefined;
  return new ForwardProxy(request.proxy, request.tls ?? tls);
}

function callEncrypted(
  pool: ConnectionPool,
  options: NodeTransportOptions,
  target: URL,
  request: TransportRequest,
): ClientRequest {
  const { tls = options.tls } = request;
  const agent = pool.encrypted(tls);
  const proxy = proxyOf(options, request);
  const settings = {
    ...requestOptions(options, request, agent),
    ...tlsClientOptions(tls),
    ...(proxy && { proxy }),
  };
  return requestHttps(target, settings).once('response', (incoming) => agent.follow(incoming));
}

function requestOptions(
  { socketPath }: NodeTransportOptions,
  { method, headers = {}, body, signal }: TransportRequest,
  agent: Agent,
): RequestOptions {
  return {
    method,
    agent,
    headers: { ...headers, ...(body && { 'content-length': body.length }) } as Record<
      string,
      string | string[] | number
    >,
    ...(socketPath !== undefined && { socketPath }),
    ...(signal && { signal }),
  };
}

function receivedResponse(incoming: IncomingMessage, signal: AbortSignal | undefined): TransportResponse {
  return new ReceivedResponse(incoming.statusCode as number, incoming.headers, incoming, signal);
}
