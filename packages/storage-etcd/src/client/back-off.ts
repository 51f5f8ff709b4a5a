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
   * The pause behind one more failure. It differs from others' by up to a quarter, so that those who failed together do
   * not all come back together.
   */
  next(): number {
    const pause = Math.min(this.#longest, this.#first * 2 ** Math.min(this.#failures++, 30));
    return pause * (0.75 + Math.random() / 4);
  }

  /** Something has succeeded. */
  reset(): void {
    this.#failures = 0;
  }
}
