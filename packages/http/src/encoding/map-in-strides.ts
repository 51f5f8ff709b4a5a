import type { Steps } from '@ashlar/core';
import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { Encoding, EncodingCache } from './encoding-cache.ts';

/** Bytes of objects between two pauses: more than a page of 500 small ones has. */
const STRIDE = 655_360;
/** The same for formats in which each byte costs several times as much: YAML and indented JSON. */
export const COSTLY_STRIDE: number = 65_536;
/** Minimum that an object counts: small ones cost something, too. */
const LEAST_BYTES = 512;
/** Maximum number of results between two pauses: cached ones cost little, but not nothing. */
const MOST_ANSWERS = 1_024;

/** Measures how much work has been done: bytes of the objects that were encoded. */
type Effort = Pick<EncodingCache, 'bytesRead'>;

/** Maps the results of a list, with pauses. */
export function* mapInStrides<T>(
  answers: readonly ResultObject[],
  make: (answer: ResultObject) => T,
  stride: number = STRIDE,
): Steps<T[]> {
  const made: T[] = [];
  while (made.length < answers.length) {
    if (made.length > 0) yield;
    const end = strideFrom(answers, made.length, stride);
    while (made.length < end) made.push(make(answers[made.length] as ResultObject));
  }
  return made;
}

/** Encodes the results of a list, with pauses; encodings of records come from a cache. */
export function* mapCached<T extends Encoding>(
  answers: readonly ResultObject[],
  cache: EncodingCache<T>,
  encode: (answer: ResultObject) => T,
  stride: number = STRIDE,
): Steps<T[]> {
  const encodings = new Array<T>(answers.length);
  for (let at = 0; ; ) {
    at = fillCached(answers, cache, encode, { encodings, at, stride });
    if (at === answers.length) return encodings;
    yield;
  }
}

/**
 * Processes one stride: no generator, because pages take this path. Only uncached results count, so nothing
 * else is measured.
 */
function fillCached<T extends Encoding>(
  answers: readonly ResultObject[],
  cache: EncodingCache<T>,
  encode: (answer: ResultObject) => T,
  { encodings, at, stride }: { readonly encodings: T[]; readonly at: number; readonly stride: number },
): number {
  const end = Math.min(answers.length, at + MOST_ANSWERS);
  const enough = cache.bytesRead + stride;
  let next = at;
  for (; next < end && cache.bytesRead < enough; next++) {
    const answer = answers[next] as ResultObject;
    encodings[next] = answer instanceof ObjectRecord ? cache.getOrEncode(answer, encode) : encode(answer);
  }
  return next;
}

/** Passes on the results of a list one by one, with pauses. */
export function* eachAnswer(
  answers: readonly ResultObject[],
  effort: Effort,
  visit: (answer: ResultObject) => void,
): Steps<void> {
  for (let at = 0; ; ) {
    at = visitSome(answers, at, effort, visit);
    if (at === answers.length) return;
    yield;
  }
}

function visitSome(
  answers: readonly ResultObject[],
  start: number,
  effort: Effort,
  visit: (answer: ResultObject) => void,
): number {
  const end = Math.min(answers.length, start + MOST_ANSWERS);
  const enough = effort.bytesRead + STRIDE;
  let next = start;
  for (; next < end && effort.bytesRead < enough; next++) visit(answers[next] as ResultObject);
  return next;
}

/** Where the next stride ends. */
function strideFrom(answers: readonly ResultObject[], start: number, stride: number): number {
  let left = stride;
  let at = start;
  for (; at < answers.length && left > 0; at++) {
    const answer = answers[at];
    left -= answer instanceof ObjectRecord ? Math.max(LEAST_BYTES, answer.stored.length) : LEAST_BYTES;
  }
  return at;
}
