import { compareUtf8, type JsonObject, type JsonValue, setMember } from '@ashlar/core';
import { isContainer, type JsonContainer } from './json-container.ts';

/** An object with its members in the order of their names; itself if they have it already. */
export function withSortedMembers(object: JsonObject): JsonObject {
  const names = Object.keys(object);
  if (areSorted(names)) return object;
  const sorted: Record<string, JsonValue | undefined> = {};
  for (const name of names.sort(compareUtf8)) setMember(sorted, name, object[name]);
  return sorted;
}

function areSorted(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++)
    if (compareUtf8(names[i - 1] as string, names[i] as string) > 0) return false;
  return true;
}

/**
 * A value whose walked objects have their members in the order of their names, as release 1.32 prints what a patch has parsed
 * (semantics/patches#errors). What is not walked is not entered.
 */
export function withWalkedSorted(value: JsonValue, walked: ReadonlySet<JsonContainer>): JsonValue {
  if (!isContainer(value) || !walked.has(value)) return value;
  if (Array.isArray(value)) return itemsSorted(value, walked);
  const object = value as JsonObject;
  let changed: Record<string, JsonValue | undefined> | undefined;
  for (const name of Object.keys(object)) {
    const member = object[name];
    const sorted = member === undefined ? member : withWalkedSorted(member, walked);
    if (sorted === member) continue;
    changed ??= { ...object };
    setMember(changed, name, sorted);
  }
  return withSortedMembers(changed ?? object);
}

function itemsSorted(list: readonly JsonValue[], walked: ReadonlySet<JsonContainer>): readonly JsonValue[] {
  const sorted = list.map((item) => withWalkedSorted(item, walked));
  return sorted.every((item, index) => item === list[index]) ? list : sorted;
}
