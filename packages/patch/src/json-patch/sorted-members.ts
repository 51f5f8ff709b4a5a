import {
  changedCopyOf,
  compareUtf8,
  type JsonObject,
  type JsonValue,
  MANY_MEMBERS,
  noteChangedCopy,
  ownMember,
  setMember,
} from '@ashlar/core';
import { isContainer } from './json-container.ts';
import { rememberAs } from './json-depth.ts';
import type { JsonDraft } from './json-draft.ts';

/** Large objects that are known to be in order: patches that follow each other share them or change a few of their members. */
const inOrder: WeakSet<object> = new WeakSet();

/** An object with its members in the order of their names; itself if they have it already. */
export function withSortedMembers(object: JsonObject): JsonObject {
  if (isKnownSorted(object)) return object;
  const names = Object.keys(object);
  const sorted = areSorted(names) ? object : sortedCopy(object, names.sort(compareUtf8));
  if (names.length >= MANY_MEMBERS) inOrder.add(sorted);
  return sorted;
}

function isKnownSorted(object: JsonObject): boolean {
  if (inOrder.has(object)) return true;
  const copy = changedCopyOf(object);
  if (!copy || copy.isReordered || !isKnownSorted(copy.original as JsonObject)) return false;
  for (const name of copy.changed)
    if (Object.hasOwn(object, name) && !Object.hasOwn(copy.original, name)) return false;
  inOrder.add(object);
  return true;
}

function sortedCopy(object: JsonObject, names: readonly string[]): JsonObject {
  const sorted: Record<string, JsonValue | undefined> = {};
  for (const name of names) setMember(sorted, name, object[name]);
  rememberAs(object, sorted);
  const copy = changedCopyOf(object);
  if (copy) noteChangedCopy(sorted, { ...copy, isReordered: true, isSorted: areSortedByUnits(names) });
  return sorted;
}

/** By UTF-16 units, whose order is another where there are characters beyond 16 bits. */
function areSortedByUnits(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++) if ((names[i - 1] as string) > (names[i] as string)) return false;
  return true;
}

function areSorted(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++)
    if (compareUtf8(names[i - 1] as string, names[i] as string) > 0) return false;
  return true;
}

/**
 * The document of a patch whose walked objects have their members in the order of their names, as release 1.32 prints what a patch has
 * parsed (semantics/patches#errors). What is not walked is not entered.
 */
export function withWalkedSorted(value: JsonValue, draft: JsonDraft): JsonValue {
  const names = isContainer(value) ? draft.walked.get(value) : undefined;
  if (names === undefined) return value;
  if (Array.isArray(value)) return itemsSorted(value, draft);
  let object = value as JsonObject;
  for (const name of names) {
    const member = ownMember(object, name);
    const sorted = member === undefined ? member : withWalkedSorted(member, draft);
    if (sorted !== undefined && sorted !== member) object = draft.putInOrder(object, name, sorted);
  }
  return withSortedMembers(object);
}

function itemsSorted(list: readonly JsonValue[], draft: JsonDraft): readonly JsonValue[] {
  let ordered = list;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as JsonValue;
    const sorted = withWalkedSorted(item, draft);
    if (sorted !== item) ordered = draft.putInOrder(ordered, i, sorted);
  }
  return ordered;
}
