const LONGEST_SECONDS = 32;

/**
 * When rejected callers should come again: it doubles while a level rejects much, and falls by a second while it rejects little
 * (semantics/requests#priority-and-fairness).
 */
export class RetryAfter {
  /** Seconds, 1 to 32. */
  seconds = 1;
  #second = 0;
  #count = 0;
  #raisedAt = 0;
  /** Rejected requests of the last seconds: those that are looked at. */
  #history: (readonly [second: number, count: number])[] = [];

  /** @param now milliseconds since 1970 */
  reject(now: number): void {
    const second = Math.floor(now / 1000);
    if (second === this.#second) {
      this.#count++;
      return;
    }
    const kept = Math.min(2 * this.seconds, LONGEST_SECONDS);
    this.#history.push([this.#second, this.#count]);
    this.#history = this.#history.filter(([at]) => second - at <= kept);
    this.#second = second;
    this.#count = 1;
    this.#adjust(second);
  }

  #adjust(second: number): void {
    const rejected = this.#history
      .filter(([at]) => second - at <= this.seconds)
      .reduce((sum, [, count]) => sum + count, 0);
    if (second - this.#raisedAt >= this.seconds && rejected >= 3 * this.seconds) {
      this.seconds = Math.min(2 * this.seconds, LONGEST_SECONDS);
      this.#raisedAt = second;
    } else if (rejected < this.seconds && this.seconds > 1) this.seconds--;
  }
}
