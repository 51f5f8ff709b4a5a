/** Engines keep texts of Latin letters with one byte for each, and know without looking that this is not found there. */
const FIRST_SURROGATE = /[\ud800-\udbff]/;

/** Texts longer than this are counted every time. */
const LONGEST_KEPT = 256;
/** How many counts are kept, each for a length of its own; a power of two. */
const KEPT = 64;
const keptTexts: string[] = new Array<string>(KEPT).fill('');
const keptCounts: number[] = new Array<number>(KEPT).fill(0);

/**
 * How many code points a text has, which is what `size()` and costs count. Rules meet the same names over and over, so that
 * the last counts are kept.
 */
export function codePointCount(text: string): number {
  const { length } = text;
  if (length > LONGEST_KEPT) return countCodePoints(text);
  const place = length & (KEPT - 1);
  if (keptTexts[place] === text) return keptCounts[place] as number;
  const count = countCodePoints(text);
  keptTexts[place] = text;
  keptCounts[place] = count;
  return count;
}

function countCodePoints(text: string): number {
  return FIRST_SURROGATE.test(text) ? countPairs(text) : text.length;
}

function countPairs(text: string): number {
  const { length } = text;
  let count = length;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0xd800 && code <= 0xdbff && i + 1 < length && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--;
      i++;
    }
  }
  return count;
}

const ASCII_ONLY = /^[\0-\x7f]*$/;

/** A text by code points, for functions that count or cut. */
export function codePoints(text: string): readonly string[] {
  return ASCII_ONLY.test(text) ? text.split('') : [...text];
}
