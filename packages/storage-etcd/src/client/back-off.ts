/** Growing pauses between attempts that fail. */
export class BackOff {
  readonly #first: number;
  readonly #longest: number;
  #failures: number = 0;

  /** Pauses double from `first` up to `longest`, in milliseconds. */
  constructor(first: number, longest: number) {
    this.#first = first;
    this.#longest = longest;
  }

  /**
   * The pause after one more failure, with random jitter of up to a quarter, so that clients do not retry
   * together.
   */
  next(): number {
    const pause = Math.min(this.#longest, this.#first * 2 ** Math.min(this.#failures++, 30));
    return pause * (0.75 + Math.random() / 4);
  }

  /** Resets the pauses after a success. */
  reset(): void {
    this.#failures = 0;
  }
}
