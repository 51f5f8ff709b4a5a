import type { Steps } from '@ashlar/core';
import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { isLargeItem } from './large-records.ts';

/** Bytes of objects that are encoded between two pauses: more than a page of 500 small ones has. */
export const STRIDE: number = 655_360;
/** The same for formats in which each byte costs several times as much: YAML and indented JSON. */
export const COSTLY_STRIDE: number = 65_536;
/** Minimum that an object counts: small ones cost something, too. */
const LEAST_BYTES = 512;

/**
 * Maps the results of a list, with pauses.
 * @param makeSteps as `make`, with pauses, for large records; without it they are made at once
 */
export function* mapInStrides<T>(
  outcomes: readonly ResultObject[],
  make: (result: ResultObject) => T,
  stride: number = STRIDE,
  makeSteps?: (record: ObjectRecord) => Steps<T>,
): Steps<T[]> {
  const results: T[] = [];
  while (results.length < outcomes.length) {
    if (results.length > 0) yield;
    const next = outcomes[results.length];
    if (makeSteps && isLargeItem(next)) results.push(yield* makeSteps(next));
    const end = strideFrom(outcomes, results.length, stride, makeSteps !== undefined);
    while (results.length < end) results.push(make(outcomes[results.length] as ResultObject));
  }
  return results;
}

/** Where the next stride ends. @param withoutLarge whether it ends before a large record */
function strideFrom(
  outcomes: readonly ResultObject[],
  start: number,
  stride: number,
  withoutLarge: boolean,
): number {
  let left = stride;
  let at = start;
  for (; at < outcomes.length && left > 0; at++) {
    const result = outcomes[at];
    if (withoutLarge && isLargeItem(result)) break;
    left -= ObjectRecord.is(result) ? Math.max(LEAST_BYTES, result.stored.length) : LEAST_BYTES;
  }
  return at;
}
