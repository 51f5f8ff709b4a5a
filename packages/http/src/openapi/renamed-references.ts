import {
  isJsonArray,
  type JsonObject,
  type JsonValue,
  memberNames,
  rememberMemberNames,
  type Steps,
  setMember,
} from '@ashlar/core';

/** An object that is being copied, whose members may be replaced. */
type Members = Record<string, JsonValue>;

/** An array or object, and its copy to be filled. */
type Pending =
  | { readonly from: readonly JsonValue[]; readonly to: JsonValue[] }
  | { readonly from: JsonObject; readonly to: Members };

/** Number of values that are copied between two pauses. */
const COPIED_PER_STEP = 1024;

/** A copy whose references have the new names; the value itself where none is new. */
export function* renamedSteps(value: JsonObject, names: ReadonlyMap<string, string>): Steps<JsonObject> {
  if (names.size === 0) return value;
  return yield* copiedSteps(value, (members, reference) => {
    members.$ref = names.get(reference) ?? reference;
  });
}

/**
 * A copy of a schema of OpenAPI v2 whose references lead to the components of v3. What a schema has besides its reference, which v3 ignores
 * there, stands beside a list of the reference.
 */
export function v3SchemaSteps(value: JsonObject): Steps<JsonObject> {
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

/** A reference to what a document of OpenAPI v2 shares, as v3 writes it. */
export function v3Reference(reference: string): string {
  const place = PLACES.find(([v2]) => reference.startsWith(v2));
  return place ? place[1] + reference.slice(place[0].length) : reference;
}

/** A copy, whose objects with a reference are changed. */
function* copiedSteps(
  value: JsonObject,
  change: (members: Members, reference: string) => void,
): Steps<JsonObject> {
  const copy: Members = {};
  const pending: Pending[] = [{ from: value, to: copy }];
  for (let count = 1; pending.length > 0; count++) {
    const next = pending.pop() as Pending;
    if (isJsonArray(next.from)) yield* copyItemsSteps(next.from, next.to as JsonValue[], pending);
    else {
      const members = next.to as Members;
      yield* copyMembersSteps(next.from, members, pending);
      if (typeof members.$ref === 'string') change(members, members.$ref);
    }
    if (count % COPIED_PER_STEP === 0) yield;
  }
  return copy;
}

function* copyItemsSteps(from: readonly JsonValue[], to: JsonValue[], pending: Pending[]): Steps<void> {
  for (const [index, item] of from.entries()) {
    to.push(copied(item, pending));
    if (index % COPIED_PER_STEP === COPIED_PER_STEP - 1) yield;
  }
}

function* copyMembersSteps(from: JsonObject, to: Members, pending: Pending[]): Steps<void> {
  const names = memberNames(from);
  for (const [index, name] of names.entries()) {
    setMember(to, name, copied(from[name] as JsonValue, pending));
    if (index % COPIED_PER_STEP === COPIED_PER_STEP - 1) yield;
  }
  if (!Object.hasOwn(to, '$ref')) rememberMemberNames(to, names);
}

/** A copy of one array or object, which is filled later. */
function copied(value: JsonValue, pending: Pending[]): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  const next: Pending = isJsonArray(value) ? { from: value, to: [] } : { from: value, to: {} };
  pending.push(next);
  return next.to;
}
