import type { JsonObject, JsonValue, Steps } from '@ashlar/core';

type Copy = Record<string, JsonValue> | JsonValue[];

/** Number of arrays and objects that are copied between two pauses. */
const COPIED_PER_STEP = 1024;

/** A copy whose references have the new names; the value itself where none is new. */
export function* renamedSteps(value: JsonObject, names: ReadonlyMap<string, string>): Steps<JsonObject> {
  if (names.size === 0) return value;
  const copy = { ...value } as Record<string, JsonValue>;
  const pending: Copy[] = [copy];
  for (let count = 1; pending.length > 0; count++) {
    const next = pending.pop() as Copy;
    if (Array.isArray(next)) copyItems(next, pending);
    else renameMembers(next, names, pending);
    if (count % COPIED_PER_STEP === 0) yield;
  }
  return copy;
}

function copyItems(items: JsonValue[], pending: Copy[]): void {
  for (let i = 0; i < items.length; i++) items[i] = copied(items[i] as JsonValue, pending);
}

function renameMembers(
  members: Record<string, JsonValue>,
  names: ReadonlyMap<string, string>,
  pending: Copy[],
): void {
  for (const name in members) {
    const member = members[name] as JsonValue;
    members[name] =
      name === '$ref' && typeof member === 'string' ? (names.get(member) ?? member) : copied(member, pending);
  }
}

/** A copy of one array or object, whose parts are copied later. */
function copied(value: JsonValue, pending: Copy[]): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Copy;
  pending.push(copy);
  return copy as JsonValue;
}
