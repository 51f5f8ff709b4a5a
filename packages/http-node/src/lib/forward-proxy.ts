import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import type { TransportTls } from '@ashlar/core';
import { SocksClient } from 'socks';

/** A program that carries connections to servers, by its URL: `http`, `https`, `socks5` or `socks5h`. */
export class ForwardProxy {
  readonly #url: URL;
  readonly #tls: TransportTls;

  /**
   * @param tls of the request: a proxy of `https` is recognized as the server is. It is shown no certificate
   * @throws TypeError for another URL, which is not told: credentials may stand in it
   */
  constructor(url: string, tls: TransportTls = {}) {
    if (!URL.canParse(url)) throw new TypeError('the proxy has no URL');
    this.#url = new URL(url);
    this.#tls = tls;
    if (!PROTOCOLS.has(this.#url.protocol))
      throw new TypeError('the URL of the proxy is none of http, https, socks5 or socks5h');
  }

  /** By which its connections are told from others. */
  get name(): string {
    return this.#url.href;
  }

  /** Whether it speaks HTTP, and takes requests that are not encrypted as they are. */
  get takesRequests(): boolean {
    return !this.#url.protocol.startsWith('socks');
  }

  get encrypted(): boolean {
    return this.#url.protocol === 'https:';
  }

  /**
   * How a request that is not encrypted is sent to it, by Node's client: the target is the whole URL (RFC 9112 section 3.2.2).
   * @param headers of the request
   */
  requestOptions(target: URL, headers: RequestOptions['headers']): RequestOptions {
    return {
      ...this.#address(),
      path: target.href,
      headers: { ...headers, host: target.host, ...this.#authorization() },
    };
  }

  /** A connection through it. @throws Error where it does not get there */
  connect(host: string, port: number): Promise<Socket> {
    return this.takesRequests ? this.#connectByRequest(host, port) : this.#connectBySocks(host, port);
  }

  /** RFC 9110 section 9.3.6. */
  #connectByRequest(host: string, port: number): Promise<Socket> {
    const path = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
    const headers = { host: path, ...this.#authorization() };
    return new Promise((resolve, reject) => {
      const request = this.encrypted ? requestHttps : requestHttp;
      request({ ...this.#address(), method: 'CONNECT', path, headers, agent: false })
        .once('connect', ({ statusCode = 0, statusMessage }, socket, head) => {
          if (statusCode >= 200 && statusCode < 300) {
            if (head.length > 0) socket.unshift(head);
            resolve(socket as Socket);
          } else {
            socket.destroy();
            reject(new Error(`the proxy does not connect to ${path}: ${statusCode} ${statusMessage}`));
          }
        })
        .once('error', reject)
        .end();
    });
  }

  /** RFC 1928, RFC 1929. The proxy looks names up. */
  async #connectBySocks(host: string, port: number): Promise<Socket> {
    const { hostname = '', port: proxyPort } = this.#address();
    const { username, password } = this.#url;
    const { socket } = await SocksClient.createConnection({
      proxy: {
        ...{ host: hostname as string, port: Number(proxyPort), type: 5 },
        ...(username !== '' && { userId: decodeURIComponent(username) }),
        ...(username !== '' && { password: decodeURIComponent(password) }),
      },
      command: 'connect',
      destination: { host, port },
    });
    return socket;
  }

  #address(): RequestOptions & Pick<TransportTls, 'insecure'> {
    const { hostname, port } = urlToHttpOptions(this.#url);
    const { certificateAuthorities, insecure } = this.#tls;
    return {
      hostname: hostname ?? '',
      port: port || DEFAULT_PORTS[this.#url.protocol],
      ...(certificateAuthorities !== undefined && { ca: certificateAuthorities }),
      ...(insecure && { rejectUnauthorized: false }),
    };
  }

  #authorization(): Readonly<Record<string, string>> {
    const { username, password } = this.#url;
    if (username === '' && password === '') return {};
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  }
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks5:': 1080,
  'socks5h:': 1080,
};
const PROTOCOLS = new Set(Object.keys(DEFAULT_PORTS));
