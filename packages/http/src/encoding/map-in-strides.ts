import type { Steps } from '@ashlar/core';
import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';

/** Bytes of objects that are encoded between two pauses: more than a page of 500 small ones has. */
export const STRIDE: number = 655_360;
/** The same for formats in which each byte costs several times as much: YAML and indented JSON. */
export const COSTLY_STRIDE: number = 65_536;
/** Minimum that an object counts: small ones cost something, too. */
const LEAST_BYTES = 512;

/** Maps the results of a list, with pauses. */
export function* mapInStrides<T>(
  outcomes: readonly ResultObject[],
  make: (result: ResultObject) => T,
  stride: number = STRIDE,
): Steps<T[]> {
  const results: T[] = [];
  while (results.length < outcomes.length) {
    if (results.length > 0) yield;
    const end = strideFrom(outcomes, results.length, stride);
    while (results.length < end) results.push(make(outcomes[results.length] as ResultObject));
  }
  return results;
}

/** Where the next stride ends. */
function strideFrom(outcomes: readonly ResultObject[], start: number, stride: number): number {
  let left = stride;
  let at = start;
  for (; at < outcomes.length && left > 0; at++) {
    const result = outcomes[at];
    left -= ObjectRecord.is(result) ? Math.max(LEAST_BYTES, result.stored.length) : LEAST_BYTES;
  }
  return at;
}
