/**
 * How long it is worth waiting for something that may never happen: less after each failure, and slowly more
 * again. Milliseconds.
 */
export class Patience {
  readonly #most: number;
  readonly #least: number;
  #now: number;

  constructor(most: number, least: number = most) {
    this.#most = most;
    this.#least = least;
    this.#now = most;
  }

  get milliseconds(): number {
    return this.#now;
  }

  /** Waiting was successful. */
  succeeded(): void {
    this.#now = Math.min(this.#most, this.#now * 1.25);
  }

  /** Waiting timed out. */
  lost(): void {
    this.#now = Math.max(this.#least, this.#now / 2);
  }
}
