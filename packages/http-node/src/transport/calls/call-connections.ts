import { isIP } from 'node:net';
import { connect, createSecureContext, type SecureContext } from 'node:tls';
import type { TransportRequest, TransportResponse, TransportTls } from '@ashlar/core';
import { explainTlsFailure } from '../explain-tls-failure.ts';
import { tlsClientOptions } from '../tls-client-options.ts';
import { CallConnection, type ConnectionOwner } from './call-connection.ts';
import { requestHead } from './request-head.ts';

/** A connection is given up this long before its server would close it: the next request must not meet the end. */
const MARGIN_MILLISECONDS = 1000;
/** As many as Node's client keeps for one server. */
const MAXIMUM_IDLE = 256;

/** The connections to one server that is verified in one way. */
class Place implements ConnectionOwner {
  readonly #target: URL;
  readonly #tls: TransportTls;
  readonly #idleMilliseconds: number;
  readonly #isEmpty: () => void;
  readonly #all: Set<CallConnection> = new Set();
  readonly #idle: CallConnection[] = [];
  #context: SecureContext | undefined;
  /** With it the next connection begins faster. */
  #session: Buffer | undefined;

  constructor(target: URL, tls: TransportTls, idleMilliseconds: number, isEmpty: () => void) {
    this.#target = target;
    this.#tls = tls;
    this.#idleMilliseconds = idleMilliseconds;
    this.#isEmpty = isEmpty;
  }

  send(target: URL, request: TransportRequest, body: Uint8Array): Promise<TransportResponse> {
    const head = requestHead(target, request, body.length);
    return (this.#takeIdle() ?? this.#open()).send(head, body, request.signal);
  }

  /** Returns the connection that became idle last. Its timer may be late in a busy process, its end must not be. */
  #takeIdle(): CallConnection | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.take()) return idle;
      idle.destroy();
    }
    return undefined;
  }

  #open(): CallConnection {
    const { hostname, port, origin } = this.#target;
    const host = hostname.replace(/^\[|\]$/g, '');
    const options = tlsClientOptions(this.#tls);
    const { servername = isIP(host) ? '' : host, rejectUnauthorized = true, checkServerIdentity } = options;
    this.#context ??= createSecureContext(options);
    const socket = connect({
      ...{ host, port: Number(port || 443), servername, rejectUnauthorized, checkServerIdentity },
      secureContext: this.#context,
      ALPNProtocols: ['http/1.1'],
      ...(this.#session && { session: this.#session }),
    });
    socket.on('session', (session) => {
      this.#session = session;
    });
    const connection = new CallConnection(socket, this, (error) => explainTlsFailure(error, origin));
    this.#all.add(connection);
    return connection;
  }

  idle(connection: CallConnection, ofServer = Number.POSITIVE_INFINITY): void {
    const milliseconds = Math.min(this.#idleMilliseconds, ofServer - MARGIN_MILLISECONDS);
    if (milliseconds <= 0 || this.#idle.length >= MAXIMUM_IDLE) connection.destroy();
    else {
      connection.wait(milliseconds);
      this.#idle.push(connection);
    }
  }

  gone(connection: CallConnection): void {
    this.#all.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    if (this.#all.size === 0) this.#isEmpty();
  }

  close(): void {
    for (const connection of this.#all) connection.destroy();
  }
}

/**
 * Connections for short calls over TLS: requests whose body is known, as those to webhooks. They cost a fraction of what Node's client does,
 * which has to be prepared for everything: proxies, upgrades, bodies that are written slowly.
 */
export class CallConnections {
  readonly #idleMilliseconds: number;
  /** By how servers are verified, and by origin. */
  readonly #places: Map<string, Map<string, Place>> = new Map();
  readonly #keys: WeakMap<TransportTls, string> = new WeakMap();

  /** @param idleMilliseconds how long idle connections stay open */
  constructor(idleMilliseconds: number) {
    this.#idleMilliseconds = idleMilliseconds;
  }

  /** @throws Error of Node, or the reason of the signal */
  send(
    target: URL,
    tls: TransportTls,
    request: TransportRequest,
    body: Uint8Array,
  ): Promise<TransportResponse> {
    const key = this.#keyOf(tls);
    const { origin } = target;
    const byOrigin = this.#places.get(key) ?? new Map<string, Place>();
    const place = byOrigin.get(origin) ?? this.#place(target, tls, key, byOrigin);
    return place.send(target, request, body);
  }

  #place(target: URL, tls: TransportTls, key: string, byOrigin: Map<string, Place>): Place {
    const { origin } = target;
    const place = new Place(target, tls, this.#idleMilliseconds, () => {
      byOrigin.delete(origin);
      if (byOrigin.size === 0) this.#places.delete(key);
    });
    byOrigin.set(origin, place);
    this.#places.set(key, byOrigin);
    return place;
  }

  #keyOf(tls: TransportTls): string {
    const known = this.#keys.get(tls);
    if (known !== undefined) return known;
    const { certificateAuthorities, serverName, insecure } = tls;
    const key = JSON.stringify([certificateAuthorities, serverName, insecure]);
    this.#keys.set(tls, key);
    return key;
  }

  close(): void {
    for (const byOrigin of [...this.#places.values()])
      for (const place of [...byOrigin.values()]) place.close();
  }
}
