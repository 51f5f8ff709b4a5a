import { work } from '../cost/work.ts';

/** Engines store Latin texts with one byte per character, and know without scanning that this is not in them. */
const FIRST_SURROGATE = /[\ud800-\udbff]/;

/** Texts longer than this are counted every time. */
const MAXIMUM_CACHED_LENGTH = 256;
/** Size of the cache of counts, by length; a power of two. */
const CACHE_SIZE = 64;
const cachedTexts: string[] = new Array<string>(CACHE_SIZE).fill('');
const cachedCounts: number[] = new Array<number>(CACHE_SIZE).fill(0);
/** Steps of creating a text of one character. */
const STEPS_PER_POINT = 10;

/**
 * Returns the number of code points of a text, which `size()` and costs count. Rules read the same names
 * repeatedly, so the last counts are cached.
 */
export function codePointCount(text: string): number {
  const { length } = text;
  if (length > MAXIMUM_CACHED_LENGTH) return countCodePoints(text);
  const place = length & (CACHE_SIZE - 1);
  if (cachedTexts[place] === text) return cachedCounts[place] as number;
  const count = countCodePoints(text);
  cachedTexts[place] = text;
  cachedCounts[place] = count;
  return count;
}

function countCodePoints(text: string): number {
  if (text.length > MAXIMUM_CACHED_LENGTH) work(text.length);
  return FIRST_SURROGATE.test(text) ? countPairs(text) : text.length;
}

function countPairs(text: string): number {
  const { length } = text;
  let count = length;
  for (let i = 0; i < length; i++) {
    if (isPairAt(text, i)) {
      count--;
      i++;
    }
  }
  return count;
}

function isPairAt(text: string, index: number): boolean {
  const { length } = text;
  return (
    (text.charCodeAt(index) & 0xfc00) === 0xd800 &&
    index + 1 < length &&
    (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
  );
}

/** The code points of a text, for functions that reorder it. */
export function codePoints(text: string): readonly string[] {
  work(text.length * STEPS_PER_POINT);
  return hasPairs(text) ? [...text] : text.split('');
}

/** Whether a code point takes two code units, so that positions of the two differ. */
function hasPairs(text: string): boolean {
  if (text.length > MAXIMUM_CACHED_LENGTH) work(text.length);
  return FIRST_SURROGATE.test(text);
}

/** The code unit at which a code point starts; the text's length right after the last, -1 beyond. */
export function unitOf(text: string, point: number): number {
  if (!hasPairs(text)) return point <= text.length ? point : -1;
  let unit = 0;
  for (let i = 0; i < point; i++) {
    if (unit >= text.length) return -1;
    unit += isPairAt(text, unit) ? 2 : 1;
  }
  work(unit);
  return unit;
}

/** Returns the number of code points before a code unit. */
export function pointOf(text: string, unit: number): number {
  return hasPairs(text) ? countPairs(text.slice(0, unit)) : unit;
}

/** The code point at a code unit; empty after the end. */
export function pointAt(text: string, unit: number): string {
  return text.slice(unit, unit + (isPairAt(text, unit) ? 2 : 1));
}
