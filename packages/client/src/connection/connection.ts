import {
  type Ambient,
  StatusError,
  sleep,
  type Transport,
  type TransportResponse,
  type TransportTls,
  withoutTrailing,
} from '@ashlar/core';
import { decodeBody, encodeBody, MEDIA_TYPE } from '../client/client-codec.ts';
import { type Query, withQuery } from '../client/query.ts';
import { responseError, retryAfter } from '../client/response-error.ts';

/** How to reach a server. */
export interface ConnectionOptions {
  /** Carries the requests: over sockets, or directly to a handler of the same process. */
  readonly transport: Transport;
  /** `https://host:port`, with or without a path prefix. An in-process transport uses only its path. */
  readonly baseUrl: string;
  readonly ambient: Ambient;
  /** A bearer token, or a function that returns one; called before every request. */
  readonly token?: string | (() => string | Promise<string>);
  /** Sent with every request; names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly tls?: TransportTls;
  /** Maximum number of retries after a `Retry-After` (429 and 503). Default 10. */
  readonly maximumRetries?: number;
}

/** One request. */
export interface ClientRequest {
  readonly method: string;
  /** From the root of the server, without parameters. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** Encoded as JSON. */
  readonly body?: unknown;
  /** Media type of the body. Default JSON. */
  readonly contentType?: string;
  /** Media types of the response, which is JSON in any case. Default: those of the connection. */
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

/** What sends requests to one server. */
export interface Requests {
  readonly ambient: Ambient;
  /** The decoded response. @throws StatusError for responses other than 2xx */
  value(request: ClientRequest): Promise<unknown>;
  /** The response with its body unread. @throws StatusError for responses other than 2xx */
  open(request: ClientRequest): Promise<TransportResponse>;
}

/** Sends requests to one server. */
export class ServerConnection implements Requests {
  readonly ambient: Ambient;
  readonly #options: ConnectionOptions;
  readonly #base: string;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.ambient = options.ambient;
    this.#base = withoutTrailing(options.baseUrl, '/');
  }

  /** Decodes the response. @throws StatusError for statuses other than 2xx */
  async value(request: ClientRequest): Promise<unknown> {
    const response = await this.open(request);
    const body = await response.body();
    return body.length === 0 ? undefined : this.#decoded(body, request);
  }

  async #decoded(body: Uint8Array, { method, path }: ClientRequest): Promise<unknown> {
    try {
      const value = decodeBody(body, this.ambient);
      return value instanceof Promise ? await value : value;
    } catch (cause) {
      const { baseUrl } = this.#options;
      throw new Error(
        `the response to ${method} ${path} is no JSON: is there an API server at ${baseUrl || 'this address'}?`,
        { cause },
      );
    }
  }

  /** The response with its body unread. @throws StatusError for statuses other than 2xx */
  async open(request: ClientRequest): Promise<TransportResponse> {
    const { maximumRetries = 10 } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const response = await this.#send(request);
      if (response.status >= 200 && response.status < 300) return response;
      const error = responseError(response.status, response.headers, await response.body());
      const seconds = retryAfter(response.headers);
      const putOff = (response.status === 429 || response.status === 503) && seconds > 0;
      if (!putOff || attempt >= maximumRetries) throw error;
      await sleep(this.ambient.clock, seconds * 1000, request.signal);
    }
  }

  async #send(request: ClientRequest): Promise<TransportResponse> {
    const { method, path, query, body, contentType, accept, signal } = request;
    const { transport, tls } = this.#options;
    const encoded = body === undefined ? undefined : encodeBody(body, this.ambient);
    const bytes = encoded instanceof Promise ? await encoded : encoded;
    return transport.request(this.#base + withQuery(path, query), {
      method,
      headers: {
        ...(await this.#headers()),
        ...(accept !== undefined && { accept }),
        ...(body !== undefined && { 'content-type': contentType ?? MEDIA_TYPE }),
      },
      ...(bytes && { body: bytes }),
      ...(signal && { signal }),
      ...(tls && { tls }),
    });
  }

  async #headers(): Promise<Readonly<Record<string, string | readonly string[]>>> {
    const { token, headers } = this.#options;
    const bearer = typeof token === 'function' ? await token() : token;
    return { accept: MEDIA_TYPE, ...headers, ...(bearer && { authorization: `Bearer ${bearer}` }) };
  }
}

/** Whether a retry may succeed: the server is overloaded, or could not be reached. */
export function isTransient(error: unknown): boolean {
  return !StatusError.is(error) || error.code === 429 || error.code >= 500;
}
