import { createSeededRandom } from '@ashlar/testing';

/** Choices that are the same for the same seed. */
export class Choices {
  readonly #random: ReturnType<typeof createSeededRandom>;

  constructor(seed: number) {
    this.#random = createSeededRandom(seed * 2_654_435_761);
  }

  /** An integer from 0 to `bound - 1`. */
  below(bound: number): number {
    const [a = 0, b = 0, c = 0] = this.#random.bytes(new Uint8Array(3));
    return ((a << 16) | (b << 8) | c) % bound;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}
