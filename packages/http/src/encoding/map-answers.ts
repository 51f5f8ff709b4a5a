import type { Steps } from '@ashlar/core';
import type { Answer } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';

/** Work behind which there is a pause, in bytes of the objects that were looked at: more than a page of 500 small ones has. */
const STRIDE = 655_360;
/** The same where each byte costs several times as much: in YAML, and indented JSON. */
export const COSTLY_STRIDE: number = 65_536;
/** What looking at an object counts at least: small ones cost something, too. */
const LEAST_BYTES = 512;

/** What is made of each answer of a list, with pauses. */
export function* mapAnswers<T>(
  answers: readonly Answer[],
  make: (answer: Answer) => T,
  stride: number = STRIDE,
): Steps<T[]> {
  const first = strideFrom(answers, 0, stride);
  // what the language does itself is quicker than a loop of ours
  if (first === answers.length) return answers.map(make);
  const made = answers.slice(0, first).map(make);
  while (made.length < answers.length) {
    yield;
    const end = strideFrom(answers, made.length, stride);
    for (const one of answers.slice(made.length, end).map(make)) made.push(one);
  }
  return made;
}

/** Hands on the answers of a list, with pauses; those of a page all at once. */
export function* inStrides(answers: readonly Answer[], work: (some: readonly Answer[]) => void): Steps<void> {
  for (let start = 0; start < answers.length; ) {
    const end = strideFrom(answers, start, STRIDE);
    work(start === 0 && end === answers.length ? answers : answers.slice(start, end));
    start = end;
    if (start < answers.length) yield;
  }
}

/** How far the next stride goes. */
function strideFrom(answers: readonly Answer[], start: number, stride: number): number {
  let left = stride;
  let at = start;
  for (; at < answers.length && left > 0; at++) {
    const answer = answers[at];
    left -= answer instanceof ObjectRecord ? Math.max(LEAST_BYTES, answer.stored.length) : LEAST_BYTES;
  }
  return at;
}
