import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ForwardedAnswer, ForwardedCall, HeaderLine, TransportTls } from '@ashlar/core';
import { NodeByteConnection } from '../connection/node-byte-connection.ts';
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
): Promise<ForwardedAnswer> {
  const { signal, body, tls = defaults, switchesProtocols = false } = call;
  const url = new URL(origin);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const isEncrypted = url.protocol === 'https:';
    const options = { ...requestOptions(call), agent: isEncrypted ? pool.encrypted(tls) : pool.plain };
    const request = isEncrypted
      ? requestHttps(url, { ...options, ...(tls && tlsClientOptions(tls)) })
      : requestHttp(url, options);
    request.once('response', (incoming) => resolve(new IncomingAnswer(incoming)));
    if (switchesProtocols)
      request.once('upgrade', (incoming, socket, head) => resolve(switched(incoming, socket, head)));
    request.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
    if (!body) request.end();
    // the request is destroyed where the body breaks; an answer that comes before its end is an answer
    else pipeline(Readable.from(body, { objectMode: false }), request).catch(reject);
  });
}

function requestOptions({ method, target, headers, signal }: ForwardedCall): RequestOptions {
  // the lines of Node's own form are alternating names and values
  const lines = headers.flat();
  return {
    method,
    path: target,
    headers: lines as unknown as NonNullable<RequestOptions['headers']>,
    ...(signal && { signal }),
  };
}

const headerLines = ({ rawHeaders }: IncomingMessage): readonly HeaderLine[] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    (rawHeaders[2 * index] as string).toLowerCase(),
    rawHeaders[2 * index + 1] as string,
  ]);

class IncomingAnswer implements ForwardedAnswer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.status = incoming.statusCode as number;
    this.headers = headerLines(incoming);
    this.#incoming = incoming;
    // errors of an answer that is no longer read are ignored
    incoming.on('error', () => {});
  }

  stream(): AsyncIterable<Uint8Array> {
    return this.#incoming as AsyncIterable<Uint8Array>;
  }
}

function switched(incoming: IncomingMessage, socket: Duplex, head: Buffer): ForwardedAnswer {
  return {
    status: incoming.statusCode as number,
    headers: headerLines(incoming),
    async *stream() {},
    connection: new NodeByteConnection(socket, head),
  };
}
