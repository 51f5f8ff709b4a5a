import type { JsonObject, JsonValue, Steps } from '@ashlar/core';

/** An object that is being copied, whose members may be replaced. */
type Members = Record<string, JsonValue>;
type Copy = Members | JsonValue[];

/** Number of arrays and objects that are copied between two pauses. */
const COPIED_PER_STEP = 1024;

/** A copy whose references have the new names; the value itself where none is new. */
export function* renamedSteps(value: JsonObject, names: ReadonlyMap<string, string>): Steps<JsonObject> {
  if (names.size === 0) return value;
  return yield* copiedSteps(value, (members, reference) => {
    members.$ref = names.get(reference) ?? reference;
  });
}

/**
 * A copy of a document of OpenAPI v2 whose references lead to the components of v3. What a schema has besides its reference, which v3 ignores
 * there, stands beside a list of the reference.
 */
export function v3ReferencesSteps(value: JsonObject): Steps<JsonObject> {
  return copiedSteps(value, (members, reference) => {
    const $ref = v3Reference(reference);
    if (!$ref.startsWith(SCHEMAS) || Object.keys(members).length === 1) members.$ref = $ref;
    else {
      members.allOf = [{ $ref }];
      delete members.$ref;
    }
  });
}

const SCHEMAS = '#/components/schemas/';
const PLACES: readonly (readonly [v2: string, v3: string])[] = [
  ['#/definitions/', SCHEMAS],
  ['#/parameters/', '#/components/parameters/'],
  ['#/responses/', '#/components/responses/'],
];

function v3Reference(reference: string): string {
  const place = PLACES.find(([v2]) => reference.startsWith(v2));
  return place ? place[1] + reference.slice(place[0].length) : reference;
}

/** A copy, whose objects with a reference are changed. */
function* copiedSteps(
  value: JsonObject,
  change: (members: Members, reference: string) => void,
): Steps<JsonObject> {
  const copy = { ...value } as Members;
  const pending: Copy[] = [copy];
  for (let count = 1; pending.length > 0; count++) {
    const next = pending.pop() as Copy;
    if (Array.isArray(next)) yield* copyItemsSteps(next, pending);
    else {
      if (typeof next.$ref === 'string') change(next, next.$ref);
      for (const name in next) next[name] = copied(next[name] as JsonValue, pending);
    }
    if (count % COPIED_PER_STEP === 0) yield;
  }
  return copy;
}

function* copyItemsSteps(items: JsonValue[], pending: Copy[]): Steps<void> {
  for (let i = 0; i < items.length; i++) {
    items[i] = copied(items[i] as JsonValue, pending);
    if (i % COPIED_PER_STEP === COPIED_PER_STEP - 1) yield;
  }
}

/** A copy of one array or object, whose parts are copied later. */
function copied(value: JsonValue, pending: Copy[]): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Copy;
  pending.push(copy);
  return copy as JsonValue;
}
