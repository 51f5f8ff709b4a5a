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
  answers: readonly ResultObject[],
  make: (answer: ResultObject) => T,
  stride: number = STRIDE,
): Steps<T[]> {
  const results: T[] = [];
  while (results.length < answers.length) {
    if (results.length > 0) yield;
    const end = strideFrom(answers, results.length, stride);
    while (results.length < end) results.push(make(answers[results.length] as ResultObject));
  }
  return results;
}

/** Where the next stride ends. */
function strideFrom(answers: readonly ResultObject[], start: number, stride: number): number {
  let left = stride;
  let at = start;
  for (; at < answers.length && left > 0; at++) {
    const answer = answers[at];
    left -= ObjectRecord.is(answer) ? Math.max(LEAST_BYTES, answer.stored.length) : LEAST_BYTES;
  }
  return at;
}
