import type { Clock } from '../contracts/ambient.ts';

/** Parts of the window: the oldest is dropped as a whole. */
const PARTS = 5;
/** Amounts are told apart if they differ by more than this factor. */
const FACTOR = 1.02;
const LOGARITHM = Math.log(FACTOR);
/** Smaller amounts count as this one. */
const LEAST = 1e-9;

/** The amounts of a part of the window. */
interface Part {
  number: number;
  /** How many there were, by the logarithm of the amount. */
  readonly counts: Map<number, number>;
}

/**
 * The distribution of the amounts of a window of time, exact to one percent. It needs memory for the magnitudes that there were, however
 * many amounts there are.
 */
export class RecentAmounts {
  readonly #clock: Clock;
  readonly #partMilliseconds: number;
  readonly #parts: readonly Part[] = Array.from({ length: PARTS }, () => ({
    number: Number.NEGATIVE_INFINITY,
    counts: new Map(),
  }));

  constructor(clock: Clock, windowMilliseconds: number) {
    this.#clock = clock;
    this.#partMilliseconds = windowMilliseconds / PARTS;
  }

  observe(amount: number): void {
    const { counts } = this.#current();
    const place = Math.ceil(Math.log(Math.max(amount, LEAST)) / LOGARITHM);
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }

  /**
   * Returns the amounts below which these shares of all are, in the same order; NaN if there were none.
   * @param shares between 0 and 1
   */
  quantiles(shares: readonly number[]): readonly number[] {
    const counts = new Map<number, number>();
    let total = 0;
    const first = this.#current().number - PARTS + 1;
    for (const part of this.#parts) {
      if (part.number < first) continue;
      for (const [place, count] of part.counts) {
        counts.set(place, (counts.get(place) ?? 0) + count);
        total += count;
      }
    }
    const sorted = [...counts].sort(([a], [b]) => a - b);
    return shares.map((share) => amountAt(sorted, Math.max(1, Math.ceil(share * total))));
  }

  #current(): Part {
    const number = Math.floor(this.#clock.monotonic() / this.#partMilliseconds);
    const part = this.#parts[((number % PARTS) + PARTS) % PARTS] as Part;
    if (part.number !== number) {
      part.number = number;
      part.counts.clear();
    }
    return part;
  }
}

/** The amount of a rank, from 1; NaN if there are fewer. */
function amountAt(counts: readonly (readonly [place: number, count: number])[], rank: number): number {
  let below = 0;
  for (const [place, count] of counts) {
    below += count;
    if (below >= rank) return FACTOR ** (place - 0.5);
  }
  return Number.NaN;
}
