import { MANY_MEMBERS } from './changed-copy.ts';

/** Names of objects with many members. Values are immutable, so they are valid for all who walk over one. */
const remembered: WeakMap<object, readonly string[]> = new WeakMap();

/**
 * Returns the names of an object's own members, as `Object.keys`. Those of large objects are remembered: the engine
 * collects and sorts them again for each walk, which costs more than most work on the members. So the object must
 * not be changed afterwards.
 */
export function memberNames(object: object): readonly string[] {
  const known = remembered.get(object);
  if (known) return known;
  const names = Object.keys(object);
  rememberMemberNames(object, names);
  return names;
}

/** Remembers the names of a new object's members, which whoever made it knows. @param names in their order in the object */
export function rememberMemberNames(object: object, names: readonly string[]): void {
  if (names.length >= MANY_MEMBERS) remembered.set(object, names);
}

/** Returns how many members an object is known to have, if they are many and were asked for before; otherwise 0. */
export function knownMembers(object: object): number {
  return remembered.get(object)?.length ?? 0;
}

/**
 * Whether an object has no members, or a list no items. The engine lists a large object to find its first member, so it is remembered as
 * {@link memberNames} does.
 */
export function isEmptyObject(object: object): boolean {
  if (Array.isArray(object)) return object.length === 0;
  if (remembered.has(object)) return false;
  let count = 0;
  for (const _ in object)
    if (++count === MANY_MEMBERS) {
      memberNames(object);
      break;
    }
  return count === 0;
}
