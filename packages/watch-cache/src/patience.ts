/**
 * How long it is worth waiting for somebody who may never come: less each time that nobody came, and slowly more again.
 * Milliseconds.
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

  /** It was worth it. */
  kept(): void {
    this.#now = Math.min(this.#most, this.#now * 1.25);
  }

  /** It was in vain. */
  lost(): void {
    this.#now = Math.max(this.#least, this.#now / 2);
  }
}
