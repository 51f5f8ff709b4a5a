/** Pseudo-random numbers of a seed (xorshift of 32 bits). */
export class SeededNumbers {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761) | 1;
  }

  /** An integer from 0 to `bound - 1`. */
  below(bound: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % bound;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}
