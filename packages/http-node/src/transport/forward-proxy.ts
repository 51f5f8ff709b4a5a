import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { connect, isIP, isIPv6, type Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { type ProxyAddress, parseProxyUrl, type TransportTls } from '@ashlar/core';
import { SocksClient } from 'socks';
import { nodeClock } from '../ambient/node-ambient.ts';
import { clientCiphers } from '../connection/cipher-list.ts';
import { trustOptions } from '../connection/trust-options.ts';
import { checkServerNames } from './check-server-names.ts';

/** How long a proxy may take to connect. */
const CONNECT_MILLISECONDS = 60_000;

/** A program that carries connections to servers. Its errors contain no credentials. */
export class ForwardProxy {
  /** Identifies its connections. */
  readonly name: string;
  readonly #address: ProxyAddress;
  readonly #tls: TransportTls;

  /**
   * @param url `http`, `https`, `socks5` or `socks5h`
   * @param tls of the request: a proxy of `https` is verified by the same CAs as the server. It gets no
   * client certificate
   * @throws TypeError for another URL
   */
  constructor(url: string, tls: TransportTls = {}) {
    try {
      this.#address = parseProxyUrl(url);
    } catch (error) {
      throw new TypeError(`the URL of the proxy ${(error as Error).message}`);
    }
    this.name = url;
    this.#tls = tls;
  }

  /** Whether it is an HTTP proxy, which accepts unencrypted requests as they are. */
  get takesRequests(): boolean {
    return !this.#address.scheme.startsWith('socks');
  }

  get encrypted(): boolean {
    return this.#address.scheme === 'https';
  }

  /**
   * Returns the options of Node's client for an unencrypted request: the request target is the complete URL
   * (RFC 9112 section 3.2.2).
   * @param headers of the request
   */
  requestOptions(target: URL, headers: RequestOptions['headers']): RequestOptions {
    const { auth } = urlToHttpOptions(target);
    return {
      ...this.#place(),
      path: target.origin + target.pathname + target.search,
      headers: { host: target.host, ...headers, ...this.#authorization() },
      ...(auth && { auth }),
    };
  }

  /**
   * Opens a connection through it.
   * @param signal cancels it
   * @throws Error after a minute, or the reason of the signal
   */
  async connect(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    // a separate controller, as it ends with the attempt: the signal may outlive many of them
    const attempt = new AbortController();
    const giveUp = (): void => attempt.abort(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    const timer = nodeClock.setTimer(CONNECT_MILLISECONDS, () => attempt.abort(LATE));
    try {
      return await (this.takesRequests
        ? this.#byRequest(host, port, attempt.signal)
        : this.#bySocks(host, port, attempt.signal));
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(attempt.signal.aborted ? LATE : (error as Error), host, port);
    } finally {
      timer.clear();
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** RFC 9110 section 9.3.6. */
  async #byRequest(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    const path = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
    const headers = { host: path, ...this.#authorization() };
    const call = (this.encrypted ? requestHttps : requestHttp)({
      ...{ ...this.#place(), method: 'CONNECT', path, headers, agent: false, signal },
    });
    call.end();
    const [{ statusCode = 0, statusMessage }, socket, head] = await once(call, 'connect');
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy();
      throw new Error(`${statusCode} ${statusMessage}`);
    }
    if (head.length > 0) socket.unshift(head);
    return socket;
  }

  /** RFC 1928, RFC 1929. The proxy resolves names. */
  async #bySocks(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    const { credentials, ...place } = this.#address;
    const socket = connect(place);
    let failure: Error | undefined;
    // reported before the library does, which keeps only the message; and reported if there is no other
    // listener
    socket.on('error', (error) => {
      failure = error;
    });
    const giveUp = (): void => void socket.destroy(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await SocksClient.createConnection({
        proxy: {
          ...place,
          type: 5,
          ...(credentials && { userId: credentials.user, password: credentials.password }),
        },
        command: 'connect',
        destination: { host, port },
        timeout: CONNECT_MILLISECONDS,
        existing_socket: socket,
      });
      return socket;
    } catch (error) {
      socket.destroy();
      throw failure ?? error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  #place(): RequestOptions {
    const { host, port } = this.#address;
    const { certificateAuthorities, insecure } = this.#tls;
    return {
      ...{ host, port },
      // otherwise Node uses the name of the header `host`, which is that of the server
      ...(this.encrypted && { servername: isIP(host) === 0 ? host : '' }),
      ...trustOptions(certificateAuthorities),
      ...(this.encrypted && { ciphers: clientCiphers }),
      checkServerIdentity: checkServerNames,
      ...(insecure && { rejectUnauthorized: false }),
    };
  }

  #authorization(): Readonly<Record<string, string>> {
    const { credentials } = this.#address;
    if (!credentials) return {};
    const text = `${credentials.user}:${credentials.password}`;
    return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
  }
}

const LATE: Error = Object.assign(new Error(`it took longer than ${CONNECT_MILLISECONDS / 1000} s`), {
  code: 'ETIMEDOUT',
});

/** Errors of libraries contain their options: only message and code are passed on. */
function failureOf({ code, message }: NodeJS.ErrnoException, host: string, port: number): Error {
  const failure = new Error(`the proxy does not connect to ${host}:${port}: ${message || code}`);
  return code === undefined ? failure : Object.assign(failure, { code });
}
