import type { Clock } from '@ashlar/core';

/** How often something may happen: a store of permits that refills steadily. */
export interface RateLimitOptions {
  readonly perSecond: number;
  /** Permits of the full store. */
  readonly burst: number;
}

export class RateLimit {
  readonly #clock: Clock;
  readonly #options: RateLimitOptions;
  #permits: number;
  #filledAt: number;

  constructor(options: RateLimitOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#permits = options.burst;
    this.#filledAt = clock.monotonic();
  }

  /** Takes a permit. @returns 0, or in how many milliseconds there will be one */
  take(): number {
    const { perSecond, burst } = this.#options;
    const now = this.#clock.monotonic();
    this.#permits = Math.min(burst, this.#permits + ((now - this.#filledAt) * perSecond) / 1000);
    this.#filledAt = now;
    if (this.#permits < 1) return Math.ceil(((1 - this.#permits) * 1000) / perSecond);
    this.#permits--;
    return 0;
  }
}
