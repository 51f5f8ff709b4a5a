import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import type { TransportTls } from '@ashlar/core';
import { certificateReplaced, transportClosed } from './connection-end.ts';
import { ForwardProxy } from './forward-proxy.ts';
import { tlsClientOptions } from './tls-client-options.ts';

/** The connections of an HTTP/2 transport: one for each server and TLS settings, and others while it has no room for requests. */
export class Http2Connections {
  readonly #idleMilliseconds: number;
  /** Connections that accept requests. */
  readonly #connections = new Map<string, Set<Http2Connection>>();
  /** Also those that accept no more requests, but have responses pending. */
  readonly #living = new Set<Http2Connection>();
  /** Connections being opened through a proxy. */
  readonly #opening = new Map<string, Opening>();

  constructor(idleMilliseconds: number) {
    this.#idleMilliseconds = idleMilliseconds;
  }

  /**
   * Returns a connection that accepts requests, and has room for one now.
   * @param proxy URL of the proxy
   */
  open(origin: string, tls: TransportTls, proxy?: string): Http2Connection | Promise<Http2Connection> {
    const name = JSON.stringify([origin, proxy, Object.entries(tls).sort()]);
    for (const connection of this.#connections.get(name) ?? []) if (connection.hasRoom) return connection;
    if (proxy === undefined)
      return this.#keep(name, new Http2Connection(origin, tls, this.#idleMilliseconds));
    const opening =
      this.#opening.get(name) ?? this.#openThrough(name, origin, tls, new ForwardProxy(proxy, tls));
    this.#opening.set(name, opening);
    return opening.connection;
  }

  #openThrough(name: string, origin: string, tls: TransportTls, proxy: ForwardProxy): Opening {
    const stop = new AbortController();
    const open = async (): Promise<Http2Connection> => {
      try {
        const socket = await socketThrough(proxy, origin, stop.signal);
        return this.#keep(name, connectOver(socket, origin, tls, this.#idleMilliseconds));
      } finally {
        // one that was cancelled is no longer there, but maybe its successor
        if (this.#opening.get(name)?.stop === stop) this.#opening.delete(name);
      }
    };
    return { certificate: tls.certificate, stop, connection: open() };
  }

  #keep(name: string, connection: Http2Connection): Http2Connection {
    const connections = this.#connections.get(name) ?? new Set();
    this.#connections.set(name, connections.add(connection));
    this.#living.add(connection);
    connection.onClose(() => {
      this.#living.delete(connection);
      connections.delete(connection);
      if (connections.size === 0) this.#connections.delete(name);
    });
    return connection;
  }

  /** Closes those that present a certificate: no new requests, and responses still arriving are cut off. */
  retire(certificate: string): void {
    for (const connection of this.#living) if (connection.certificate === certificate) connection.retire();
    this.#giveUp((opening) => opening.certificate === certificate, certificateReplaced());
  }

  close(): void {
    for (const connection of this.#living) connection.destroy();
    this.#giveUp(() => true, transportClosed());
  }

  #giveUp(matches: (opening: Opening) => boolean, reason: Error): void {
    for (const [name, opening] of [...this.#opening]) {
      if (!matches(opening)) continue;
      this.#opening.delete(name);
      opening.stop.abort(reason);
    }
  }
}

/** A connection being opened through a proxy. */
interface Opening {
  readonly certificate: string | undefined;
  readonly stop: AbortController;
  readonly connection: Promise<Http2Connection>;
}

function socketThrough(proxy: ForwardProxy, origin: string, signal: AbortSignal): Promise<Socket> {
  const { hostname, port } = urlToHttpOptions(new URL(origin));
  return proxy.connect(hostname as string, Number(port || 443), signal);
}

/** @throws Error of a certificate that cannot be loaded, for example */
function connectOver(
  socket: Socket,
  origin: string,
  tls: TransportTls,
  idleMilliseconds: number,
): Http2Connection {
  try {
    return new Http2Connection(origin, tls, idleMilliseconds, socket);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** How many requests a server takes at once, until it says so. */
const INITIAL_STREAMS = 100;

/** One connection, shared by many requests. It keeps the process alive only while there are some. */
export class Http2Connection {
  readonly certificate: string | undefined;
  readonly #session: ClientHttp2Session;
  /** Streams by whether their response header has arrived. */
  readonly #arriving = new Set<ClientHttp2Stream>();
  #open = 0;
  #maximumOpen = INITIAL_STREAMS;
  #used = false;

  /** @param socket to the server; opened by default */
  constructor(origin: string, tls: TransportTls, idleMilliseconds: number, socket?: Socket) {
    this.certificate = tls.certificate;
    this.#session = connect(origin, { ...tlsClientOptions(tls), ...(socket && { socket }) });
    // an error of a session breaks its streams, which report it
    this.#session.on('error', () => {});
    this.#session.on('remoteSettings', ({ maxConcurrentStreams = INITIAL_STREAMS }) => {
      this.#maximumOpen = Math.max(1, maxConcurrentStreams);
    });
    this.#session.unref();
    this.#session.setTimeout(idleMilliseconds, () => {
      if (this.#open === 0) this.#session.close();
    });
  }

  get isOpen(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /** Whether it accepts a request that need not wait for the end of others, which may be watches. */
  get hasRoom(): boolean {
    return this.isOpen && this.#open < this.#maximumOpen;
  }

  /** Whether it has carried a request before. */
  get isUsed(): boolean {
    return this.#used;
  }

  onClose(listener: () => void): void {
    this.#session.once('close', listener);
  }

  request(...head: Parameters<ClientHttp2Session['request']>): ClientHttp2Stream {
    const stream = this.#session.request(...head);
    this.#used = true;
    if (this.#open++ === 0) this.#session.ref();
    stream.once('response', () => this.#arriving.add(stream));
    stream.once('close', () => {
      this.#arriving.delete(stream);
      if (--this.#open === 0) this.#session.unref();
    });
    return stream;
  }

  retire(): void {
    this.#session.close();
    for (const stream of this.#arriving) stream.destroy(certificateReplaced());
  }

  destroy(): void {
    this.#session.destroy();
  }
}
