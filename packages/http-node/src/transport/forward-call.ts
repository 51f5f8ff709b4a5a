import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ForwardedCall, ForwardedResponse, HeaderLine, TransportTls } from '@ashlar/core';
import { handOverReads } from '../connection/held-reads.ts';
import { NodeByteConnection } from '../connection/node-byte-connection.ts';
import { paceReads } from '../connection/paced-reads.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { tlsClientOptions } from './tls-client-options.ts';

/**
 * Passes on a request of somebody else. Unlike requests of our own it is not repeated over a new connection.
 * @throws Error of Node, or the reason of the signal
 */
export function forwardCall(
  pool: ConnectionPool,
  defaults: TransportTls | undefined,
  origin: string,
  call: ForwardedCall,
): Promise<ForwardedResponse> {
  const { signal, body, turns, switchesProtocols = false } = call;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = openRequest(pool, defaults, new URL(origin), call);
    request.once('response', (incoming) => {
      // a body may arrive in chunks of a byte
      if (turns && incoming.headers['transfer-encoding'] !== undefined) paceReads(incoming.socket, turns);
      resolve(new IncomingResponse(incoming));
    });
    if (switchesProtocols)
      request.once('upgrade', (incoming, socket, head) => resolve(switched(incoming, socket, head)));
    request.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
    if (!body) request.end();
    // the request is destroyed where the body breaks; a response that comes before its end is a response
    else pipeline(Readable.from(exactly(body, call), { objectMode: false }), request).catch(reject);
  });
}

/** @throws TypeError for a header field that cannot be sent */
function openRequest(
  pool: ConnectionPool,
  defaults: TransportTls | undefined,
  url: URL,
  { method, target, headers, body, signal, tls = defaults }: ForwardedCall,
): ClientRequest {
  const options = { method, path: target, setHost: false, ...(signal && { signal }) };
  const request =
    url.protocol === 'https:'
      ? requestHttps(url, { ...options, agent: pool.encrypted(tls), ...tlsClientOptions(tls) })
      : requestHttp(url, { ...options, agent: pool.unencrypted });
  try {
    // connections persist without saying so
    request.removeHeader('connection');
    for (const [name, value] of headers) request.appendHeader(name, value);
    // Node would send a body of some methods without any framing
    if (body && announcedLength(headers) === undefined) request.setHeader('transfer-encoding', 'chunked');
    return request;
  } catch (error) {
    request.on('error', () => {}).destroy();
    throw error;
  }
}

const announcedLength = (headers: readonly HeaderLine[]): number | undefined => {
  const line = headers.find(([name]) => name === 'content-length');
  return line && Number(line[1]);
};

/** A body that is longer than announced would be read as another request, of somebody else. */
async function* exactly(
  body: AsyncIterable<Uint8Array>,
  { headers }: ForwardedCall,
): AsyncGenerator<Uint8Array> {
  const announced = announcedLength(headers);
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (announced !== undefined && length > announced) throw new Error('the body is longer than it says');
    yield piece;
  }
  if (announced !== undefined && length < announced) throw new Error('the body is shorter than it says');
}

const headerLines = ({ rawHeaders }: IncomingMessage): readonly HeaderLine[] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    (rawHeaders[2 * index] as string).toLowerCase(),
    rawHeaders[2 * index + 1] as string,
  ]);

class IncomingResponse implements ForwardedResponse {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.status = incoming.statusCode as number;
    this.headers = headerLines(incoming);
    this.#incoming = incoming;
    // errors of a response that is no longer read are ignored
    incoming.on('error', () => {});
  }

  stream(): AsyncIterable<Uint8Array> {
    return this.#incoming as AsyncIterable<Uint8Array>;
  }
}

function switched(incoming: IncomingMessage, socket: Duplex, head: Buffer): ForwardedResponse {
  // an earlier response may have been paced
  handOverReads(incoming.socket);
  return {
    status: incoming.statusCode as number,
    headers: headerLines(incoming),
    async *stream() {},
    connection: new NodeByteConnection(socket, head),
  };
}
