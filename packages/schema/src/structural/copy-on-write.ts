import { type JsonObject, type JsonValue, type Steps, setMember } from '@ashlar/core';
import { isPausePoint } from './large-values.ts';

/** Changes of one member: its new value, undefined to remove it. */
type ChangeMember = (key: string, value: JsonValue) => JsonValue | undefined;

type ChangeItem = (item: JsonValue, index: number) => JsonValue;

/** Changes of large values, with pauses; undefined for those that `change` handles. */
type Pausing<Place> = (place: Place, value: JsonValue) => Steps<JsonValue | undefined> | undefined;

/** Maps the members of an object; returns the object itself if nothing changes. */
export function mapMembers(object: JsonObject, change: ChangeMember): JsonObject {
  let changed: Record<string, JsonValue> | undefined;
  // most objects do not change: nothing is allocated for them
  for (const key in object) {
    const before = object[key];
    const after = before === undefined ? undefined : change(key, before);
    if (!changed) {
      if (after === before) continue;
      changed = membersBefore(object, key);
    }
    if (after !== undefined) setMember(changed, key, after);
  }
  return changed ?? object;
}

function membersBefore(object: JsonObject, end: string): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = {};
  for (const key in object) {
    if (key === end) break;
    setMember(copy, key, object[key]);
  }
  return copy;
}

/** Like `mapMembers`, with pauses. */
export function* mapMembersSteps(
  object: JsonObject,
  change: ChangeMember,
  pausing: Pausing<string>,
): Steps<JsonObject> {
  let changed: Record<string, JsonValue> | undefined;
  const keys = Object.keys(object);
  for (let i = 0; i < keys.length; i++) {
    if (isPausePoint(object[keys[i - 1] as string], i)) yield;
    const key = keys[i] as string;
    const before = object[key];
    const steps = before === undefined ? undefined : pausing(key, before);
    const after = steps ? yield* steps : before === undefined ? undefined : change(key, before);
    if (!changed) {
      if (after === before) continue;
      changed = firstMembers(object, keys, i);
    }
    if (after !== undefined) setMember(changed, key, after);
  }
  return changed ?? object;
}

function firstMembers(object: JsonObject, keys: readonly string[], count: number): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = {};
  for (let i = 0; i < count; i++) setMember(copy, keys[i] as string, object[keys[i] as string]);
  return copy;
}

/** Maps the items of a list; returns the list itself if nothing changes. */
export function mapItems(list: readonly JsonValue[], change: ChangeItem): readonly JsonValue[] {
  let changed: JsonValue[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const before = list[i] as JsonValue;
    const after = change(before, i);
    if (!changed && after !== before) changed = list.slice(0, i);
    changed?.push(after);
  }
  return changed ?? list;
}

/** Like `mapItems`, with pauses. */
export function* mapItemsSteps(
  list: readonly JsonValue[],
  change: ChangeItem,
  pausing: Pausing<number>,
): Steps<readonly JsonValue[]> {
  let changed: JsonValue[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const before = list[i] as JsonValue;
    const steps = pausing(i, before);
    const after = steps ? ((yield* steps) as JsonValue) : change(before, i);
    if (!changed && after !== before) changed = list.slice(0, i);
    changed?.push(after);
    if (isPausePoint(before, i)) yield;
  }
  return changed ?? list;
}
