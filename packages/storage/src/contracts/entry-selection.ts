import type { Entry } from './entry.ts';

/**
 * Says what the entries below a prefix are looked for by: a label, a field. Engines keep, for each index that is asked for, the
 * entries by their terms; the very object is its identity, so that whoever asks often must ask with the same one.
 */
export interface EntryIndex {
  /** The keys that it covers: ends with `/`. */
  readonly prefix: string;
  /** The terms that an entry is found by, none twice. Pure. */
  termsOf(entry: Entry): readonly string[];
}

/** Holds for the entries that have at least one of these terms. */
export interface EntryCondition {
  readonly index: EntryIndex;
  readonly anyOf: readonly string[];
}

/** Which entries of a prefix are wanted. */
export interface EntrySelection {
  /** All of them must hold. The prefix of a range lies below that of each index. */
  readonly conditions: readonly EntryCondition[];
  /** What must hold beside the conditions; pure. */
  readonly matches?: (entry: Entry) => boolean;
}

/** Whether a selection selects an entry. */
export function selects({ conditions, matches }: EntrySelection, entry: Entry): boolean {
  return conditions.every((condition) => holds(condition, entry)) && (matches?.(entry) ?? true);
}

/** Whether an entry has one of the terms of a condition. */
export function holds({ index, anyOf }: EntryCondition, entry: Entry): boolean {
  for (const term of index.termsOf(entry)) if (anyOf.includes(term)) return true;
  return false;
}
