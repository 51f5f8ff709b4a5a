import {
  type ClientHttp2Session,
  connect,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2';
import { connect as connectSocket } from 'node:net';
import type { Clock, Timer, TransportTls } from '@ashlar/core';
import { type CallObserver, GrpcCall } from './grpc-call.ts';
import { GrpcCode, GrpcError, timeoutText } from './grpc-error.ts';

/** How connections are opened and monitored; times in milliseconds. */
export interface ConnectionOptions {
  readonly clock: Clock;
  readonly tls: TransportTls | undefined;
  /** Connects to a Unix socket instead of the endpoint, which is only a name then. */
  readonly socketPath?: string;
  /** Timeout of a connection attempt. */
  readonly connectMilliseconds: number;
  /** Silence, while calls are open, after which a ping is sent. */
  readonly keepAliveMilliseconds: number;
  /** Minimum interval of pings: etcd disconnects clients that ping more often than every five seconds. */
  readonly pingIntervalMilliseconds: number;
  /** Timeout of a ping. */
  readonly pingTimeoutMilliseconds: number;
}

/** Options of one call. */
export interface CallOptions {
  readonly path: string;
  /** Maximum size of a message in bytes. */
  readonly limit: number;
  readonly token: string | undefined;
  /** Deadline for the server; none by default. */
  readonly milliseconds?: number;
  /** A response is overdue after seconds of silence, not only after `keepAliveMilliseconds`. */
  readonly urgent: boolean;
}

/** How long a response may be overdue before a ping is sent. */
const OVERDUE_MILLISECONDS = 2000;

/** With the default of 64 KB, flow control of HTTP/2 delays an entire page, or a burst of events. */
const STREAM_WINDOW = 4 << 20;
const SESSION_WINDOW = 32 << 20;

/** One HTTP/2 connection to one endpoint. */
export class EtcdConnection {
  readonly endpoint: string;
  readonly #options: ConnectionOptions;
  readonly #session: ClientHttp2Session;
  #usable: boolean = true;
  #open: number = 0;
  #urgent: number = 0;
  #receivedAt: number;
  #pingedAt: number = Number.NEGATIVE_INFINITY;
  #pinging: boolean = false;
  #timer: Timer | undefined;

  /**
   * Connects.
   * @throws GrpcError if nothing listens; its cause is the error of the socket
   */
  static open(endpoint: string, options: ConnectionOptions): Promise<EtcdConnection> {
    return new Promise((resolve, reject) => {
      const { socketPath, tls } = options;
      const session = connect(endpoint, {
        ...sessionOptions(tls),
        ...(socketPath !== undefined && { createConnection: () => connectSocket(socketPath) }),
      });
      const fail = (error: Error): void => {
        timer.clear();
        session.destroy();
        const text = `no connection to ${endpoint}: ${error.message}`;
        reject(new GrpcError(GrpcCode.unavailable, text, { unprocessed: true, cause: error }));
      };
      const timeOut = (): void => fail(new Error(`no response within ${options.connectMilliseconds} ms`));
      const timer = options.clock.setTimer(options.connectMilliseconds, timeOut);
      const closed = (): void => fail(new Error('the server closed the connection'));
      session.on('error', () => {});
      session.once('error', fail).once('close', closed);
      session.once('connect', () => {
        timer.clear();
        session.off('error', fail).off('close', closed);
        session.setLocalWindowSize(SESSION_WINDOW);
        resolve(new EtcdConnection(endpoint, session, options));
      });
    });
  }

  constructor(endpoint: string, session: ClientHttp2Session, options: ConnectionOptions) {
    this.endpoint = endpoint;
    this.#session = session;
    this.#options = options;
    this.#receivedAt = options.clock.monotonic();
    session.unref();
    const markUnusable = (): void => {
      this.#usable = false;
      this.#timer?.clear();
    };
    session.on('error', markUnusable).on('goaway', markUnusable).on('close', markUnusable);
  }

  /** False once it is lost, or either side has announced its end. */
  get usable(): boolean {
    return this.#usable;
  }

  /** Whether nothing has been received since that time of the monotonic clock. */
  silentSince(moment: number): boolean {
    return this.#receivedAt < moment;
  }

  /**
   * Starts a call.
   * @throws GrpcError, `unprocessed`, if the connection accepts no more
   */
  call(options: CallOptions, observer: CallObserver): GrpcCall {
    const headers = requestHeaders(options);
    try {
      const stream = this.#session.request(headers, { endStream: false });
      this.#started(options.urgent);
      stream.once('close', () => this.#ended(options.urgent));
      return new GrpcCall(stream, options.limit, {
        message: (bytes) => {
          this.#receivedAt = this.#options.clock.monotonic();
          observer.message(bytes);
        },
        done: (error) => observer.done(error),
      });
    } catch (cause) {
      this.#usable = false;
      const text = `the connection to ${this.endpoint} is closing`;
      throw new GrpcError(GrpcCode.unavailable, text, { unprocessed: true, cause });
    }
  }

  /** One request, one response. */
  unary(options: CallOptions, request: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      let response: Uint8Array | undefined;
      let timer: Timer | undefined;
      const call = this.call(options, {
        message: (bytes) => {
          response = bytes;
        },
        done: (error) => {
          timer?.clear();
          if (error) reject(error);
          else if (response) resolve(response);
          else reject(new GrpcError(GrpcCode.internal, 'a call ended well without a response'));
        },
      });
      if (options.milliseconds !== undefined) {
        timer = this.#options.clock.setTimer(options.milliseconds, () => call.cancel(overdue()));
      }
      call.end(request);
    });
  }

  /** Accepts no more calls; closes with the last of the open ones. */
  retire(): void {
    this.#usable = false;
    this.#session.close();
  }

  /** Closes immediately, and cancels all calls. */
  destroy(): void {
    this.#usable = false;
    this.#timer?.clear();
    this.#session.destroy();
  }

  #started(urgent: boolean): void {
    // silence without calls is not suspicious
    if (this.#open === 0) this.#receivedAt = Math.max(this.#receivedAt, this.#options.clock.monotonic());
    if (this.#open++ === 0) this.#session.ref();
    if (urgent) this.#urgent++;
    if (!this.#timer) this.#arm();
  }

  #ended(urgent: boolean): void {
    if (urgent) this.#urgent--;
    if (--this.#open > 0) return;
    this.#timer?.clear();
    this.#timer = undefined;
    // a connection without calls does not keep the process alive
    if (!this.#session.destroyed) this.#session.unref();
  }

  #arm(): void {
    const { clock, keepAliveMilliseconds } = this.#options;
    const step = Math.min(OVERDUE_MILLISECONDS, keepAliveMilliseconds) / 2;
    this.#timer = clock.setTimer(step, () => {
      this.#timer = undefined;
      if (this.#open === 0 || this.#session.destroyed) return;
      this.#check();
      this.#arm();
    });
  }

  #check(): void {
    const { clock, keepAliveMilliseconds, pingIntervalMilliseconds, pingTimeoutMilliseconds } = this.#options;
    const now = clock.monotonic();
    if (this.#pinging) {
      if (now - this.#pingedAt > pingTimeoutMilliseconds) this.destroy();
      return;
    }
    const patience =
      this.#urgent > 0 ? Math.min(OVERDUE_MILLISECONDS, keepAliveMilliseconds) : keepAliveMilliseconds;
    if (now - this.#receivedAt < patience || now - this.#pingedAt < pingIntervalMilliseconds) return;
    this.#ping(now);
  }

  #ping(now: number): void {
    this.#pingedAt = now;
    this.#pinging = this.#session.ping((error) => {
      this.#pinging = false;
      if (!error) this.#receivedAt = this.#options.clock.monotonic();
    });
  }
}

const overdue = (): GrpcError => new GrpcError(GrpcCode.deadlineExceeded, 'no response came in time');

function requestHeaders({ path, token, milliseconds }: CallOptions): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    // a member that has lost its leader reports it, and ends its watches
    hasleader: 'true',
  };
  if (token !== undefined) headers.token = token;
  if (milliseconds !== undefined) headers['grpc-timeout'] = timeoutText(milliseconds);
  return headers;
}

function sessionOptions(tls: TransportTls | undefined): SecureClientSessionOptions {
  const settings = { enablePush: false, initialWindowSize: STREAM_WINDOW };
  if (!tls) return { settings };
  const { certificateAuthorities, certificate, key, serverName, insecure } = tls;
  return {
    settings,
    // a bundle may consist of the certificate of etcd itself
    ...(certificateAuthorities !== undefined && { ca: certificateAuthorities, allowPartialTrustChain: true }),
    ...(certificate !== undefined && { cert: certificate }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
    ...(insecure && { rejectUnauthorized: false }),
  };
}
