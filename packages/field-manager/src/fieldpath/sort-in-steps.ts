import type { Steps } from '@ashlar/core';
import { isDue } from '../typed/large-parts.ts';

const VALUES_PER_RUN = 1024;

/**
 * Sorts as `sort` does, with pauses: runs of values first, then merges of two runs.
 * @param sort sorts a run
 */
export function* sortInSteps<T>(
  values: readonly T[],
  sort: (run: T[]) => T[],
  compare: (a: T, b: T) => number,
): Steps<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < values.length; at += VALUES_PER_RUN) {
    yield;
    runs.push(sort(values.slice(at, at + VALUES_PER_RUN)));
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeRuns(runs[at] as readonly T[], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeRuns<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<readonly T[]> {
  if (right.length === 0) return left;
  const merged: T[] = [];
  let mine = 0;
  let theirs = 0;
  while (mine < left.length || theirs < right.length) {
    if (isDue()) yield;
    const isLeft =
      theirs === right.length || (mine < left.length && compare(left[mine] as T, right[theirs] as T) <= 0);
    merged.push((isLeft ? left[mine++] : right[theirs++]) as T);
  }
  return merged;
}
