import { goQuote, ParseError } from '@ashlar/core';

/** Indexes of pods from one to another, both included. */
interface Interval {
  readonly first: number;
  readonly last: number;
}

/**
 * Counts the indexes of a list such as `0,3-5`, which grow and are less than `completions`.
 * @throws ParseError if the list is malformed
 */
export function countIndexes(text: string, completions: number): number {
  if (text === '') return 0;
  let before: number | undefined;
  let count = 0;
  for (const part of text.split(',')) {
    const { first, last } = readInterval(part, completions);
    if (before !== undefined && before >= first)
      throw new ParseError(`non-increasing order, previous: ${before}, current: ${first}`);
    count += last - first + 1;
    before = last;
  }
  return count;
}

/** @throws ParseError if the interval is malformed */
function readInterval(text: string, completions: number): Interval {
  const parts = text.split('-');
  if (parts.length > 2)
    throw new ParseError(
      `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
  const first = readIndex(parts[0] ?? '', completions);
  if (parts.length === 1) return { first, last: first };
  const last = readIndex(parts[1] ?? '', completions);
  if (first >= last) throw new ParseError(`non-increasing order, previous: ${first}, current: ${last}`);
  return { first, last };
}

function readIndex(text: string, completions: number): number {
  if (!/^[+-]?\d{1,18}$/.test(text))
    throw new ParseError(`cannot convert string to integer for index: ${goQuote(text)}`);
  const index = Number(text);
  if (index >= completions) throw new ParseError(`too large index: ${goQuote(text)}`);
  return index;
}

/** Returns the first index that is in both lists, of which malformed parts are ignored. */
export function commonIndex(one: string, other: string, completions: number): number | undefined {
  const [left, right] = [wellFormed(one, completions), wellFormed(other, completions)];
  for (let l = 0, r = 0; l < left.length && r < right.length; ) {
    const [a, b] = [left[l] as Interval, right[r] as Interval];
    if (a.first <= b.last && b.first <= a.last) return Math.max(a.first, b.first);
    if (a.first <= b.first) l++;
    else r++;
  }
  return undefined;
}

function wellFormed(text: string, completions: number): readonly Interval[] {
  return text.split(',').flatMap((part) => {
    try {
      return [readInterval(part, completions)];
    } catch (error) {
      if (ParseError.is(error)) return [];
      throw error;
    }
  });
}
