import {
  changedCopyOf,
  type JsonObject,
  type JsonValue,
  MANY_MEMBERS,
  runAtOnce,
  type Steps,
} from '@ashlar/core';

/**
 * Maximum nesting of patches and their results. A few operations can nest a document deeper than recursive
 * readers support, so results may not be nested deeper than all of them allow.
 */
export const MAXIMUM_DEPTH = 1000;

/** Whether arrays and objects are nested deeper than `limit` levels. Not recursive. */
export function isDeeperThan(value: JsonValue, limit: number): boolean {
  return runAtOnce(isDeeperThanSteps(value, limit));
}

/**
 * Large objects and lists in which nothing is nested but empty ones, as there are for owned fields: patches that follow each other share
 * them, and values are immutable.
 */
const flat: WeakSet<object> = new WeakSet();

/** Remembers of a copy with the same members what is known of the original. */
export function rememberAs(original: object, copy: object): void {
  if (flat.has(original)) flat.add(copy);
}

/** Whether it is known that nothing is nested in an object or list, or in the one that it was copied of and in what was changed since. */
function isFlat(value: object): boolean {
  if (flat.has(value)) return true;
  const copy = changedCopyOf(value);
  if (!copy || !isFlat(copy.original)) return false;
  for (const name of copy.changed) {
    if (isFilled((value as JsonObject)[name])) return false;
  }
  flat.add(value);
  return true;
}

/** Whether something may be nested in it. */
function isFilled(value: JsonValue | undefined): boolean {
  if (typeof value === 'object') for (const _ in value) return true;
  return false;
}

/** The same, with pauses. */
export function* isDeeperThanSteps(value: JsonValue, limit: number): Steps<boolean> {
  const pending: [JsonValue, number][] = [[value, 0]];
  let count = 0;
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const [at, depth] = entry;
    if (typeof at !== 'object' || at === null) continue;
    if (depth >= limit) return true;
    if ((++count & 1023) === 0) yield;
    const allowsEmpty = depth + 1 < limit;
    if (allowsEmpty && isFlat(at)) continue;
    const before = pending.length;
    const names = Array.isArray(at) ? undefined : Object.keys(at);
    const length = names?.length ?? (at as readonly JsonValue[]).length;
    const skipsEmpty = allowsEmpty && length >= MANY_MEMBERS;
    for (let i = 0; i < length; i++) {
      // a list may have as many items as fit into a body
      if ((++count & 1023) === 0) yield;
      const member = names ? (at as JsonObject)[names[i] as string] : (at as readonly JsonValue[])[i];
      if (skipsEmpty ? isFilled(member) : isContainer(member)) pending.push([member as JsonValue, depth + 1]);
    }
    if (skipsEmpty && pending.length === before) flat.add(at);
  }
  return false;
}

const isContainer = (value: JsonValue | undefined): boolean => typeof value === 'object' && value !== null;
