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
  for (const { first, last } of intervalsOf(text, completions, throwWhy)) {
    if (before !== undefined && before >= first)
      throw new ParseError(`non-increasing order, previous: ${before}, current: ${first}`);
    count += last - first + 1;
    before = last;
  }
  return count;
}

/** Returns the first index that is in both lists, of which malformed parts are ignored. */
export function commonIndex(one: string, other: string, completions: number): number | undefined {
  const [left, right] = [intervalsOf(one, completions), intervalsOf(other, completions)];
  let [a, b] = [nextOf(left), nextOf(right)];
  while (a && b) {
    if (a.first <= b.last && b.first <= a.last) return Math.max(a.first, b.first);
    if (a.first <= b.first) a = nextOf(left);
    else b = nextOf(right);
  }
  return undefined;
}

type Intervals = Generator<Interval, void, undefined>;

const nextOf = (intervals: Intervals): Interval | undefined => intervals.next().value ?? undefined;

/** Intervals of a list, which is read once, and may have a million: nothing is made of a part but its numbers. */
function* intervalsOf(
  text: string,
  completions: number,
  onMalformed?: (part: string, completions: number) => void,
): Intervals {
  const reader = new IndexReader(text, completions);
  for (let start = 0; start <= text.length; start = reader.end + 1) {
    const first = reader.read(start);
    const last = text.charCodeAt(reader.end) === MINUS ? reader.read(reader.end + 1) : first;
    const isEnd = reader.end === text.length || text.charCodeAt(reader.end) === COMMA;
    const isSingle = first === last && reader.start === start;
    if (isEnd && first >= 0 && (isSingle || first < last)) yield { first, last };
    else {
      const comma = text.indexOf(',', reader.end);
      reader.end = comma < 0 ? text.length : comma;
      onMalformed?.(text.slice(start, reader.end), completions);
    }
  }
}

const COMMA = 0x2c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const ZERO = 0x30;
const MOST_DIGITS = 18;

/** Reads numbers at places of a text. */
class IndexReader {
  readonly #text: string;
  readonly #completions: number;
  /** Where what was read last starts and ends. */
  start = 0;
  end = 0;

  constructor(text: string, completions: number) {
    this.#text = text;
    this.#completions = completions;
  }

  /** @returns -1 if there is no number, or one that is too large */
  read(start: number): number {
    this.start = start;
    let at = this.#text.charCodeAt(start) === PLUS ? start + 1 : start;
    const digits = at;
    let value = 0;
    for (; isDigit(this.#text.charCodeAt(at)); at++) value = value * 10 + this.#text.charCodeAt(at) - ZERO;
    this.end = at;
    const count = at - digits;
    return count === 0 || count > MOST_DIGITS || value >= this.#completions ? -1 : value;
  }
}

const isDigit = (unit: number): boolean => unit >= ZERO && unit <= ZERO + 9;

/** @throws ParseError that says why an interval is malformed */
function throwWhy(text: string, completions: number): void {
  const parts = text.split('-', 3);
  if (parts.length > 2)
    throw new ParseError(
      `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
  const [first, last] = parts.map((part) => readIndex(part, completions));
  throw new ParseError(`non-increasing order, previous: ${first}, current: ${last}`);
}

function readIndex(text: string, completions: number): number {
  if (!/^[+-]?\d{1,18}$/.test(text))
    throw new ParseError(`cannot convert string to integer for index: ${goQuote(text)}`);
  const index = Number(text);
  if (index >= completions) throw new ParseError(`too large index: ${goQuote(text)}`);
  return index;
}
