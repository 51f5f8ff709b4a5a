/** What a level could use, and its bounds. */
export interface SeatDemand {
  readonly lower: number;
  readonly upper: number;
  /** At least `lower`. */
  readonly target: number;
}

/** Levels that demand nothing get what is left all the same. */
const MINIMUM_TARGET = 0.001;
/** Halvings of an interval until neighbouring numbers remain. */
const HALVINGS = 128;

/**
 * Shares seats among levels in proportion to what each could use, within its bounds: all get the same fraction of their target, but those
 * whose bound is reached (semantics/requests#priority-and-fairness).
 * @returns the seats of each demand, in order, not rounded; their sum is `seats` unless the bounds prevent it
 */
export function shareSeats(seats: number, demands: readonly SeatDemand[]): readonly number[] {
  const at = (fraction: number): readonly number[] =>
    demands.map(({ lower, upper, target }) =>
      Math.min(Math.max(fraction * Math.max(target, MINIMUM_TARGET), lower), upper),
    );
  let [low, high] = [0, highestFraction(demands)];
  for (let i = 0; i < HALVINGS && low < high; i++) {
    const middle = low + (high - low) / 2;
    if (middle === low || middle === high) break;
    if (sumOf(at(middle)) < seats) low = middle;
    else high = middle;
  }
  return at(high);
}

/** The fraction at which every level has reached its upper bound. */
function highestFraction(demands: readonly SeatDemand[]): number {
  return demands.reduce(
    (most, { upper, target }) => Math.max(most, upper / Math.max(target, MINIMUM_TARGET)),
    0,
  );
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
