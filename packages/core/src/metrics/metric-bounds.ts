/** Bucket bounds in seconds that suit most durations. */
export const SECONDS_BOUNDS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Bounds that grow by a factor.
 * @example exponentialBounds(0.001, 2, 4) // [0.001, 0.002, 0.004, 0.008]
 */
export function exponentialBounds(first: number, factor: number, count: number): readonly number[] {
  const bounds: number[] = [];
  for (let bound = first; bounds.length < count; bound *= factor) bounds.push(bound);
  return bounds;
}
