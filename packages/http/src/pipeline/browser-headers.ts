import type { ServerRequest, ServerResponse } from '@ashlar/core';

/** What browsers are told by the headers of every response. */
export interface BrowserOptions {
  /**
   * Whether web pages of an origin, such as `https://app.example.org`, may send requests and read the responses (the CORS protocol of the
   * Fetch standard). By default none may, but those of the server's own origin. Anonymous requests are also subject to `anonymousFrom`.
   */
  readonly allowsOrigin?: (origin: string) => boolean;
  /** Value of `Strict-Transport-Security` (RFC 6797), such as `max-age=31536000; includeSubDomains`. By default there is none. */
  readonly strictTransportSecurity?: string;
}

type Headers = Readonly<Record<string, string>>;

const CROSS_ORIGIN: Headers = {
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
};

/** The headers that browsers are sent. */
export class BrowserHeaders {
  readonly #allowsOrigin: (origin: string) => boolean;
  readonly #always: Headers;

  constructor({ allowsOrigin = () => false, strictTransportSecurity }: BrowserOptions) {
    this.#allowsOrigin = allowsOrigin;
    this.#always =
      strictTransportSecurity === undefined ? {} : { 'strict-transport-security': strictTransportSecurity };
  }

  /** The headers that are added to the response to a request. */
  of(request: ServerRequest): Headers {
    const origin = this.#allowedOrigin(request);
    if (origin === undefined) return this.#always;
    return { ...this.#always, 'access-control-allow-origin': origin, ...CROSS_ORIGIN };
  }

  /** The response to the question whether a page may send a request: it has no credentials, so it is answered before authentication. */
  preflight(request: ServerRequest): ServerResponse | undefined {
    if (request.method !== 'OPTIONS' || this.#allowedOrigin(request) === undefined) return undefined;
    return { status: 204, headers: { 'cache-control': 'no-cache, private' } };
  }

  #allowedOrigin({ headers }: ServerRequest): string | undefined {
    const origin = headers.get('origin');
    return origin && this.#allowsOrigin(origin) ? origin : undefined;
  }
}

/** Undefined if browsers are sent no headers of their own. */
export function browserHeadersOf(options: BrowserOptions): BrowserHeaders | undefined {
  const { allowsOrigin, strictTransportSecurity } = options;
  return allowsOrigin || strictTransportSecurity !== undefined ? new BrowserHeaders(options) : undefined;
}
