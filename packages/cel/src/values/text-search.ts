import { work } from '../cost/work.ts';

/** Up to this many comparisons the search of the host is fastest, for any texts. */
const FEW_COMPARISONS = 100_000;

/** Steps per character of a search that nearly matches everywhere. */
const STEPS_PER_CHARACTER = 5;

/**
 * Returns the position of a substring from a position on; -1 if there is none. Linear time: after a mismatch
 * the prefix table determines where the next match may start (Knuth, Morris and Pratt).
 */
export function indexOfPart(text: string, part: string, from: number = 0): number {
  if (part.length * (text.length - from) <= FEW_COMPARISONS) {
    work((text.length - from) * (part.length > 1 ? STEPS_PER_CHARACTER : 1));
    return text.indexOf(part, from);
  }
  return new PartSearch(part).find(text, from);
}

/** Returns the last position of a substring at or before a position; -1 if there is none. */
export function lastIndexOfPart(text: string, part: string, from: number): number {
  if (part.length * Math.min(text.length, from + 1) <= FEW_COMPARISONS) {
    work(text.length * STEPS_PER_CHARACTER);
    return text.lastIndexOf(part, from);
  }
  const search = new PartSearch(part);
  return search.findLast(text, Math.min(text.length, from + part.length));
}

/** Splits a text as the host's `split` does. */
export function splitByPart(text: string, part: string): string[] {
  work(text.length);
  if (part.length <= 1 || part.length * text.length <= FEW_COMPARISONS) return text.split(part);
  const search = new PartSearch(part);
  const pieces: string[] = [];
  let start = 0;
  for (let at = search.find(text, 0); at >= 0; at = search.find(text, start)) {
    pieces.push(text.slice(start, at));
    start = at + part.length;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** A text that is searched for. */
class PartSearch {
  readonly #part: string;
  /** For each prefix length, the longest proper prefix that is also a suffix. */
  readonly #shorter: Int32Array;

  constructor(part: string) {
    work(part.length * 4);
    this.#part = part;
    this.#shorter = new Int32Array(part.length + 1);
    let length = 0;
    for (let i = 1; i < part.length; i++) {
      length = this.#grown(length, part.charCodeAt(i));
      this.#shorter[i + 1] = length;
    }
  }

  find(text: string, from: number): number {
    const { length: size } = this.#part;
    let length = 0;
    for (let i = from; i < text.length; i++) {
      length = this.#grown(length, text.charCodeAt(i));
      if (length < size) continue;
      work((i - from) * 2);
      return i + 1 - size;
    }
    work((text.length - from) * 2);
    return -1;
  }

  /** The last match that ends no later than a position. */
  findLast(text: string, end: number): number {
    const { length: size } = this.#part;
    work(end * 2);
    let found = -1;
    let length = 0;
    for (let i = 0; i < end; i++) {
      length = this.#grown(length, text.charCodeAt(i));
      if (length === size) found = i + 1 - size;
    }
    return found;
  }

  /** Returns the length of the matched prefix of the part after one more character. */
  #grown(length: number, unit: number): number {
    let matched = length;
    // At the end of the part there is no character, which differs from every one.
    while (matched > 0 && this.#part.charCodeAt(matched) !== unit) matched = this.#shorter[matched] as number;
    return this.#part.charCodeAt(matched) === unit ? matched + 1 : matched;
  }
}
