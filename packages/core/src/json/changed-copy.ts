/** Members from which on an object or list is large enough to remember what is known of it, and what of it has changed. */
export const MANY_MEMBERS = 64;

/** A copy of a large object or list of which a few members differ. */
export interface ChangedCopy {
  readonly original: object;
  /** Names of members, and indexes of items, that were set or removed; all others are those of the original. */
  readonly changed: ReadonlySet<string>;
  /** Whether members may have another order than in the original, apart from those that are new. */
  readonly isReordered: boolean;
  /** Whether all members are known to be in the order of their names, by UTF-16 units. */
  readonly isSorted?: boolean;
}

interface Note {
  readonly original: WeakRef<object>;
  readonly changes: Omit<ChangedCopy, 'original'>;
}

const notes: WeakMap<object, Note> = new WeakMap();

/**
 * Notes that a value is a copy of another: whoever has looked through the original need not look through all of the copy. Values are
 * immutable, so both stay as they are from now on. The copy does not keep the original in memory.
 * @param copy of an original with at least {@link MANY_MEMBERS} members
 */
export function noteChangedCopy(copy: object, { original, ...changes }: ChangedCopy): void {
  notes.set(copy, { original: new WeakRef(original), changes });
}

/** What a value was copied of, if that was noted and still exists. */
export function changedCopyOf(copy: object): ChangedCopy | undefined {
  const note = notes.get(copy);
  const original = note?.original.deref();
  if (!note || !original) return undefined;
  const { changed, isReordered, isSorted = false } = note.changes;
  return { original, changed, isReordered, isSorted };
}
