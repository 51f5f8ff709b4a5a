import { type Clock, type Handler, type ServerResponse, StatusError } from '@ashlar/core';
import { errorResponse } from './error-response.ts';

/**
 * Knows which requests are under way, and lets no more in once it is closed: a server ends when those that it has taken are answered
 * (semantics/status#situations). A watch is answered when it has begun.
 * @example
 * const gate = new RequestGate(handler);
 * await gate.close(clock, 10_000); // gate.handler answers 503 from here on
 */
export class RequestGate {
  /** Answers as the handler behind it does, as long as the gate is open. */
  readonly handler: Handler;
  readonly #emptied: (() => void)[] = [];
  #underWay = 0;
  #isOpen = true;

  constructor(inner: Handler) {
    this.handler = (request) => {
      if (!this.#isOpen) return refusal();
      const answer = inner(request);
      return answer instanceof Promise ? this.#through(answer) : answer;
    };
  }

  async #through(answer: Promise<ServerResponse>): Promise<ServerResponse> {
    this.#underWay++;
    try {
      return await answer;
    } finally {
      this.#underWay--;
      if (this.#underWay === 0) for (const tell of this.#emptied.splice(0)) tell();
    }
  }

  /** Lets nobody in any more; fulfilled when everybody is out, or the grace is over. */
  close(clock: Clock, graceMilliseconds: number): Promise<void> {
    this.#isOpen = false;
    if (this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = clock.setTimer(graceMilliseconds, resolve);
      this.#emptied.push(() => {
        timer.clear();
        resolve();
      });
    });
  }
}

function refusal(): ServerResponse {
  const { headers, ...answer } = errorResponse(StatusError.serviceUnavailable('apiserver is shutting down'));
  return { ...answer, headers: { ...headers, 'retry-after': '1', 'x-content-type-options': 'nosniff' } };
}
