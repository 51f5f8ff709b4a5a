import { type Clock, type Handler, type ServerRequest, type ServerResponse, StatusError } from '@ashlar/core';
import { errorResponse } from './error-response.ts';

/**
 * Counts active requests and rejects new ones once it is closed, so that a server stops after the requests it has accepted are
 * answered (semantics/status#situations). A watch counts as answered when it has started.
 * @example
 * const gate = new RequestGate(handler);
 * await gate.close(clock, 10_000); // gate.handler answers 503 from here on
 */
export class RequestGate {
  /** Calls the inner handler while the gate is open. */
  readonly handler: Handler;
  readonly #onIdle: (() => void)[] = [];
  #active = 0;
  #isOpen = true;
  #isReferring = false;

  constructor(inner: Handler) {
    this.handler = (request) => {
      if (!this.#isOpen) return refusal();
      if (this.#isReferring && !isAlwaysServed(request)) return REFERRAL;
      const response = inner(request);
      return response instanceof Promise ? this.#count(response) : response;
    };
  }

  async #count(response: Promise<ServerResponse>): Promise<ServerResponse> {
    this.#active++;
    try {
      return await response;
    } finally {
      this.#active--;
      if (this.#active === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Refers new requests to other servers by 429, but for those about health and metrics, until all active requests are answered, or the
   * grace period is over.
   */
  async refer(clock: Clock, graceMilliseconds: number): Promise<void> {
    this.#isReferring = true;
    await this.#idle(clock, graceMilliseconds);
    this.#isReferring = false;
  }

  /** Rejects new requests. Resolves when all active requests are answered, or after the grace period. */
  close(clock: Clock, graceMilliseconds: number): Promise<void> {
    this.#isOpen = false;
    return this.#idle(clock, graceMilliseconds);
  }

  #idle(clock: Clock, graceMilliseconds: number): Promise<void> {
    if (this.#active === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = clock.setTimer(graceMilliseconds, resolve);
      // what a request waits for may not keep the process alive
      timer.hold?.();
      this.#onIdle.push(() => {
        timer.clear();
        resolve();
      });
    });
  }
}

/** Paths that are served until the end, with what begins with them. */
const ALWAYS_SERVED = ['/readyz', '/livez', '/healthz', '/metrics'];

/** The server's own requests are served, too: it may have something to put in order. */
const isAlwaysServed = ({ url, isBackground }: ServerRequest): boolean =>
  isBackground === true || ALWAYS_SERVED.some((path) => url.startsWith(path));

const REFERRAL: ServerResponse = {
  status: 429,
  headers: {
    'content-type': 'text/plain; charset=utf-8',
    'retry-after': '5',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  },
  body: new TextEncoder().encode('The apiserver is shutting down, please try again later.\n'),
};

function refusal(): ServerResponse {
  const { headers, ...answer } = errorResponse(StatusError.serviceUnavailable('apiserver is shutting down'));
  return { ...answer, headers: { ...headers, 'retry-after': '1', 'x-content-type-options': 'nosniff' } };
}
