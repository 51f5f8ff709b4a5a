import { compareUtf8, type JsonObject, type JsonValue, type Steps, setMember } from '@ashlar/core';

/** Values between two pauses. */
const STRIDE = 1024;

/** Names that are whole numbers: JavaScript has them before all others, in their own order. */
const WHOLE_NUMBER = /^(?:0|[1-9]\d*)$/;

/**
 * Returns a value whose objects have their members in the order of their names, as custom objects are stored and printed
 * (semantics/metadata#fields); the value itself if they have it already. Names that are whole numbers come first.
 */
export function* sortedMembersSteps(value: JsonValue): Steps<JsonValue> {
  return (yield* areSortedSteps(value)) ? value : yield* copySortedSteps(value);
}

/** Whether all objects in a value have their members in the order of their names. */
function* areSortedSteps(value: JsonValue): Steps<boolean> {
  const pending: JsonValue[] = [value];
  for (let visited = 1; pending.length > 0; visited++) {
    const next = pending.pop();
    if (visited % STRIDE === 0) yield;
    if (Array.isArray(next)) {
      for (const item of next) if (isComposite(item)) pending.push(item);
      continue;
    }
    let previous = '';
    for (const name in next as JsonObject) {
      if (compareUtf8(name, previous) < 0 && !WHOLE_NUMBER.test(previous)) return false;
      previous = name;
      const member = (next as JsonObject)[name];
      if (isComposite(member)) pending.push(member);
    }
  }
  return true;
}

/** A composite value and its copy, which has no content yet. */
type Copy = readonly [from: JsonValue, to: JsonValue[] | Record<string, JsonValue>];

function* copySortedSteps(value: JsonValue): Steps<JsonValue> {
  if (!isComposite(value)) return value;
  const copy = emptyCopy(value);
  const pending: Copy[] = [[value, copy]];
  const copied = (part: JsonValue): JsonValue => {
    if (!isComposite(part)) return part;
    const empty = emptyCopy(part);
    pending.push([part, empty]);
    return empty;
  };
  for (let visited = 1; pending.length > 0; visited++) {
    const [from, to] = pending.pop() as Copy;
    if (visited % STRIDE === 0) yield;
    if (Array.isArray(from)) for (const item of from) (to as JsonValue[]).push(copied(item));
    else fillSorted(from as JsonObject, to as Record<string, JsonValue>, copied);
  }
  return copy;
}

function fillSorted(
  from: JsonObject,
  to: Record<string, JsonValue>,
  copied: (part: JsonValue) => JsonValue,
): void {
  for (const name of Object.keys(from).sort(compareUtf8)) {
    const member = from[name];
    if (member !== undefined) setMember(to, name, copied(member));
  }
}

const emptyCopy = (value: JsonValue): JsonValue[] | Record<string, JsonValue> =>
  Array.isArray(value) ? [] : {};

const isComposite = (value: JsonValue | undefined): value is JsonObject | JsonValue[] =>
  typeof value === 'object' && value !== null;
