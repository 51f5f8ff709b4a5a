import type { Entry } from './entry.ts';

/**
 * Defines an index over the entries below a prefix: a label, a field. Engines build an index when it is first used. It is identified by
 * the object itself, so callers must reuse the same object.
 */
export interface EntryIndex {
  /** The prefix of the indexed keys; ends with `/`. */
  readonly prefix: string;
  /** Returns the terms of an entry, without duplicates. Pure. */
  termsOf(entry: Entry): readonly string[];
}

/** Selects the entries that have at least one of these terms. */
export interface EntryCondition {
  readonly index: EntryIndex;
  readonly anyOf: readonly string[];
}

/** Selects entries of a prefix. */
export interface EntrySelection {
  /** All of them must match. The prefix of a range must be below that of each index. */
  readonly conditions: readonly EntryCondition[];
  /** Must match in addition to the conditions; pure. */
  readonly matches?: (entry: Entry) => boolean;
}

/** Returns whether a selection matches an entry. */
export function selects({ conditions, matches }: EntrySelection, entry: Entry): boolean {
  return conditions.every((condition) => matchesCondition(condition, entry)) && (matches?.(entry) ?? true);
}

/** Returns whether an entry has one of the terms of a condition. */
export function matchesCondition({ index, anyOf }: EntryCondition, entry: Entry): boolean {
  for (const term of index.termsOf(entry)) if (isAmong(anyOf, term)) return true;
  return false;
}

/** Up to this many terms are compared one by one. */
const FEW = 16;

/** Longer lists of terms: a client may send ten thousand, of which each entry has one or none. */
const sets: WeakMap<readonly string[], ReadonlySet<string>> = new WeakMap();

function isAmong(terms: readonly string[], term: string): boolean {
  if (terms.length <= FEW) return terms.includes(term);
  const set = sets.get(terms) ?? new Set(terms);
  sets.set(terms, set);
  return set.has(term);
}
