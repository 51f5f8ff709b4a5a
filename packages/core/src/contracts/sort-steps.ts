import type { Steps } from './steps.ts';

/** Maximum number of items that are sorted without a pause. */
const RUN = 2048;

/** Sorts a list in place, stably and with pauses. A sorted list takes one pass. */
export function* sortSteps<T>(items: T[], compare: (a: T, b: T) => number): Steps<void> {
  if (isSorted(items, compare)) return;
  if (items.length <= RUN) {
    items.sort(compare);
    return;
  }
  let from = items;
  for (let start = 0; start < items.length; start += RUN) {
    const run = items.slice(start, start + RUN).sort(compare);
    for (let i = 0; i < run.length; i++) items[start + i] = run[i] as T;
    yield;
  }
  let to = items.slice();
  for (let width = RUN; width < items.length; width *= 2) {
    for (let start = 0; start < items.length; start += 2 * width)
      yield* merge(from, to, { start, middle: start + width, end: start + 2 * width }, compare);
    [from, to] = [to, from];
  }
  if (from !== items) for (let i = 0; i < items.length; i++) items[i] = from[i] as T;
}

function isSorted<T>(items: readonly T[], compare: (a: T, b: T) => number): boolean {
  for (let i = 1; i < items.length; i++) if (compare(items[i - 1] as T, items[i] as T) > 0) return false;
  return true;
}

interface Runs {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

/** Merges two adjacent sorted runs; either may be cut off by the end. */
function* merge<T>(from: readonly T[], to: T[], runs: Runs, compare: (a: T, b: T) => number): Steps<void> {
  const end = Math.min(runs.end, from.length);
  const middle = Math.min(runs.middle, end);
  let left = runs.start;
  let right = middle;
  for (let at = runs.start; at < end; at++) {
    const takesLeft = left < middle && (right >= end || compare(from[left] as T, from[right] as T) <= 0);
    to[at] = from[takesLeft ? left++ : right++] as T;
    if (at % RUN === RUN - 1) yield;
  }
}
