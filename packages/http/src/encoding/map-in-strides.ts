import type { Steps } from '@ashlar/core';
import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { Encoding, EncodingCache } from './encoding-cache.ts';

/** Work behind which there is a pause, in bytes of the objects that were looked at: more than a page of 500 small ones has. */
const STRIDE = 655_360;
/** The same where each byte costs several times as much: in YAML, and indented JSON. */
export const COSTLY_STRIDE: number = 65_536;
/** What looking at an object counts at least: small ones cost something, too. */
const LEAST_BYTES = 512;
/** Most answers between two pauses: what is cached already costs little, but not nothing. */
const MOST_ANSWERS = 1_024;

/** What tells how much work has been done: bytes of the objects that something was made of. */
type Effort = Pick<EncodingCache, 'bytesRead'>;

/** What is made of each answer of a list, with pauses. */
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

/** The encoding of each answer of a list, with pauses; those of records come from a cache. */
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

/** As far as one stride goes: no generator, for pages pass here. Only what is not cached yet counts, so nothing else is looked at. */
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

/** Hands on the answers of a list one by one, with pauses. */
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

/** How far the next stride goes. */
function strideFrom(answers: readonly ResultObject[], start: number, stride: number): number {
  let left = stride;
  let at = start;
  for (; at < answers.length && left > 0; at++) {
    const answer = answers[at];
    left -= answer instanceof ObjectRecord ? Math.max(LEAST_BYTES, answer.stored.length) : LEAST_BYTES;
  }
  return at;
}
