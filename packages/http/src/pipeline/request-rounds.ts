import { type Ambient, RotatingQueues } from '@ashlar/core';

/** How long the requests of one round may take together, in milliseconds. */
const ROUND_MILLISECONDS = 5;
/** Maximum number of requests of a round. */
const MOST_REQUESTS = 32;

/**
 * Requests whose bodies have arrived continue together at the end of a turn of the event loop, one of each user at a time. Their promises
 * are followed in step: each stage of the work runs for all of them before the next one does, so that the processor finds its code and
 * data in its caches. One after the other they take almost twice as long.
 *
 * A round has as many requests as took their share of a turn before; others wait for later turns. So however many one user sends, those of
 * another wait for one round at most, and so do requests without bodies.
 */
export class RequestRounds {
  readonly #ambient: Ambient;
  /** What continues those that wait. */
  readonly #waiting = new RotatingQueues<string, () => void>();
  #isDue = false;
  /** Number of requests of the next round. */
  #size: number = MOST_REQUESTS / 2;

  constructor(ambient: Ambient) {
    this.#ambient = ambient;
  }

  /** Returns a promise that the work for a request must wait for; undefined without turns. */
  begin(user: string): Promise<void> | undefined {
    if (!this.#ambient.turns?.inNextTurn) return undefined;
    return new Promise((resume) => {
      this.#waiting.push(user, resume);
      if (!this.#isDue) this.#schedule();
    });
  }

  #schedule(): void {
    this.#isDue = true;
    this.#ambient.turns?.inNextTurn?.(this.#run);
  }

  readonly #run = (): void => {
    const { clock, turns } = this.#ambient;
    const start = clock.monotonic();
    let count = 0;
    for (let resume = this.#next(count); resume; resume = this.#next(count)) {
      resume();
      count++;
    }
    turns?.atEndOfTurn(() => this.#adapt(count, clock.monotonic() - start));
    this.#isDue = false;
    if (!this.#waiting.isEmpty) this.#schedule();
  };

  #next(count: number): (() => void) | undefined {
    return count < this.#size ? this.#waiting.take() : undefined;
  }

  /** Rounds shrink at once if one takes long, and grow by one request at a time. */
  #adapt(count: number, milliseconds: number): void {
    const fitting = Math.floor((ROUND_MILLISECONDS * count) / milliseconds);
    if (milliseconds > ROUND_MILLISECONDS) this.#size = Math.max(1, fitting);
    else if (count === this.#size && fitting > count) this.#size = Math.min(count + 1, MOST_REQUESTS);
  }
}
