import type { Server as HttpServer, IncomingMessage, ServerResponse as NodeResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Handler } from '@ashlar/core';
import { type BoundAddress, bind } from './bind.ts';
import { checkListenOptions } from './check-listen-options.ts';
import { createExchangeContext, type ExchangeContext } from './exchange-context.ts';
import { answerHttp1 } from './http1-exchange.ts';
import { Http2Sessions } from './http2-sessions.ts';
import type { ListenOptions, ListenTls } from './listen-options.ts';
import { NamedContexts } from './named-certificates.ts';
import { createNodeServer, isHttps, secureContextOptions } from './node-server.ts';
import { OpenSockets } from './open-sockets.ts';
import { keepShownChains } from './shown-chains.ts';
import { answerUpgrade } from './upgrade-exchange.ts';

/** What a listener can serve instead while it listens: named certificates only where it began with some. */
export type CertificateChanges = Partial<
  Pick<ListenTls, 'certificate' | 'key' | 'clientCertificateAuthorities' | 'named'>
>;

/** A listening server. */
export interface Listener extends AsyncDisposable {
  readonly address: BoundAddress;
  /** `https://127.0.0.1:6443`, `http://…`, or `unix:<path>`. A wildcard address is shown as the loopback one. */
  readonly url: string;
  /**
   * Serves other certificates to new connections; omitted options keep their values.
   * @throws TypeError if TLS is not enabled
   * @throws Error of OpenSSL if certificate and key are invalid or do not match; the old pair stays
   */
  setCertificate(tls: CertificateChanges): void;
  /**
   * Closes gracefully: no new connections, idle ones are closed, requests in flight are answered. Streaming
   * requests get their `signal` aborted, so that they can end. Connections still open after the grace period
   * are reset. If called again, the shorter grace period applies.
   */
  close(options?: CloseOptions): Promise<void>;
}

/** Options of closing. */
export interface CloseOptions {
  /** Default 10,000. */
  readonly graceMilliseconds?: number;
}

/**
 * Serves a handler on a socket: HTTPS with HTTP/1.1 and HTTP/2 on one port, plain HTTP/1.1, or a unix socket.
 * Errors of the handler are answered with a 500 and reported to `onError`.
 *
 * @throws Error of Node with its `code`, such as `EADDRINUSE`, if it cannot listen; TypeError for options that are wrong
 * @example
 * const listener = await listen(handler, { port: 8080 });
 * console.log(listener.url); // http://127.0.0.1:8080
 * await listener.close();
 */
export async function listen(handler: Handler, options: ListenOptions = {}): Promise<Listener> {
  checkListenOptions(handler, options);
  const ownHosts = options.path === undefined ? [(options.host ?? '127.0.0.1').toLowerCase()] : 'any';
  const context = createExchangeContext(handler, ownHosts, options, options.server === undefined);
  const { tls } = options;
  const certificates = tls?.named && new NamedContexts(tls, secureContextOptions);
  const server = options.server ?? createNodeServer(options, certificates?.ofName);
  if (options.maximumConnections !== undefined) server.maxConnections = options.maximumConnections;
  const sockets = new OpenSockets(server);
  const sessions = new Http2Sessions(context, options);
  serveHttp1(server, context);
  if (!options.server && isHttps(server)) sessions.takeFrom(server);
  if (isHttps(server) && requestsCertificates(options)) keepShownChains(server);
  const address = await bind(server, options);
  server.on('error', context.onError);
  return new NodeListener({ server, sockets, sessions, context, address, tls, certificates });
}

/** A server of the host may. */
const requestsCertificates = ({ server, tls }: ListenOptions): boolean =>
  server !== undefined || tls?.clientCertificateAuthorities !== undefined;

function serveHttp1(server: HttpServer, context: ExchangeContext): void {
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    answerUpgrade(context, { incoming, socket, head });
  });
  server.on('request', (incoming: IncomingMessage, outgoing: NodeResponse) => {
    answerHttp1(context, incoming, outgoing);
  });
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: NodeResponse) => {
    answerHttp1(context, incoming, outgoing, () => outgoing.writeContinue());
  });
}

interface ListenerParts {
  readonly server: HttpServer;
  readonly sockets: OpenSockets;
  readonly sessions: Http2Sessions;
  readonly context: ExchangeContext;
  readonly address: BoundAddress;
  readonly tls: ListenTls | undefined;
  readonly certificates: NamedContexts | undefined;
}

const SWEEP_MILLISECONDS = 20;

class NodeListener implements Listener {
  readonly address: BoundAddress;
  readonly url: string;
  readonly #parts: ListenerParts;
  #tls: ListenTls | undefined;
  #closed: Promise<void> | undefined;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    this.#tls = parts.tls;
    this.address = parts.address;
    this.url = urlOf(parts.address, isHttps(parts.server));
  }

  setCertificate(changes: CertificateChanges): void {
    const { server, certificates } = this.#parts;
    if (!this.#tls || !isHttps(server)) throw new TypeError('TLS is not enabled');
    if (changes.named && !certificates) throw new TypeError('the listener began without named certificates');
    const tls: ListenTls = { ...this.#tls, ...changes };
    const use = certificates?.prepared(tls);
    server.setSecureContext(secureContextOptions(tls));
    use?.();
    this.#tls = tls;
  }

  async close({ graceMilliseconds = 10_000 }: CloseOptions = {}): Promise<void> {
    this.#closed ??= this.#drain();
    const { sockets } = this.#parts;
    const timer = setTimeout(() => sockets.destroy(), graceMilliseconds);
    await this.#closed;
    clearTimeout(timer);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #drain(): Promise<void> {
    const { server, sockets, sessions, context } = this.#parts;
    context.draining = true;
    // connections whose last response began with keep-alive become idle later
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MILLISECONDS);
    const closed = new Promise<unknown>((resolve) => server.close(resolve));
    sessions.close();
    for (const request of context.streams.values()) request.abort(new Error('the server is shutting down'));
    await closed;
    clearInterval(sweep);
    await sockets.empty();
  }
}

function urlOf(address: BoundAddress, encrypted: boolean): string {
  if ('path' in address) return `unix:${address.path}`;
  const { host, port } = address;
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  const written = reachable.includes(':') && !reachable.startsWith('[') ? `[${reachable}]` : reachable;
  return `${encrypted ? 'https' : 'http'}://${written}:${port}`;
}
