/** Keys from the first up to and excluding the second. */
export type KeySpan = readonly [from: string, until: string];

/** Sorts after every key: keys are texts, which have no such byte. */
const END = '\u{10ffff}';

/** Returns the keys of a prefix that ends with `/`, of a single key, or of everything (the empty prefix), after `after`. */
export function keySpan(prefix: string, after?: string): KeySpan {
  const from = after !== undefined && after >= prefix ? next(after) : prefix;
  if (prefix === '') return [from, END];
  // `0` is the character after `/`
  const until = prefix.endsWith('/') ? `${prefix.slice(0, -1)}0` : next(prefix);
  return [from < until ? from : until, until];
}

/** The first text after a key. The smallest character that a text of PostgreSQL may have. */
const next = (key: string): string => `${key}\u0001`;

/** Whether a key is one of a prefix. */
export const isInPrefix = (key: string, prefix: string): boolean =>
  prefix === '' || (prefix.endsWith('/') ? key.startsWith(prefix) : key === prefix);
