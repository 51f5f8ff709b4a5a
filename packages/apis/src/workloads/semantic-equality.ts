import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  objectOf,
  ownMember,
  parseQuantity,
  type Schema,
} from '@ashlar/core';

/** The parts of a schema on the way to quantities. */
interface Amounts {
  readonly isAmount: boolean;
  readonly fields: ReadonlyMap<string, Amounts>;
  /** Of items of a list, or of all members of a map. */
  readonly members: Amounts | undefined;
}

const compiled: WeakMap<Schema, { readonly amounts: Amounts | undefined }> = new WeakMap();

/** Whether two values of a type are equal, whatever the form of their quantities: `1Gi` is `1073741824`. */
export function semanticallyEqual(schema: Schema, a: unknown, b: unknown): boolean {
  const equal = (value: unknown): boolean => jsonEqual(value as JsonValue, b as JsonValue);
  if (equal(a)) return true;
  const adapted = withAmountsOf(schema, b, a);
  return adapted !== a && equal(adapted);
}

/**
 * A value of a type with the quantities of another one, where they are the same amounts in another form. What has none of them is not
 * copied: values may have a hundred thousand parts.
 */
export function withAmountsOf<T>(schema: Schema, other: unknown, value: T): T {
  const amounts = amountsOf(schema);
  return amounts ? (adapted(value as JsonValue, other as JsonValue, amounts) as T) : value;
}

function amountsOf(schema: Schema): Amounts | undefined {
  let found = compiled.get(schema);
  if (!found) {
    found = { amounts: compile(schema) };
    compiled.set(schema, found);
  }
  return found.amounts;
}

/** Schemas of stored kinds end at this depth at the latest. */
const MOST_DEPTH = 24;

function compile(schema: Schema, depth = 0): Amounts | undefined {
  if (depth > MOST_DEPTH) return undefined;
  const fields = new Map<string, Amounts>();
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const amounts = compile(part, depth + 1);
    if (amounts) fields.set(name, amounts);
  }
  const { items, additionalProperties } = schema;
  const member = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  const members = member && compile(member, depth + 1);
  const isAmount = schema.format === 'quantity';
  return isAmount || members || fields.size > 0 ? { isAmount, fields, members } : undefined;
}

function adapted(
  value: JsonValue | undefined,
  other: JsonValue | undefined,
  amounts: Amounts,
): JsonValue | undefined {
  if (value === other) return value;
  if (amounts.isAmount) return isSameAmount(value, other) ? other : value;
  if (Array.isArray(value)) return Array.isArray(other) ? adaptedItems(value, other, amounts) : value;
  return isJsonObject(value) && isJsonObject(other) ? adaptedMembers(value, other, amounts) : value;
}

const isSameAmount = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  typeof a === 'string' && typeof b === 'string' && parseQuantity(a).equals(parseQuantity(b));

function adaptedItems(list: JsonValue[], other: JsonValue[], { members }: Amounts): JsonValue[] {
  if (!members) return list;
  let copy: JsonValue[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = adapted(list[i], other[i], members) as JsonValue;
    if (item === list[i]) continue;
    copy ??= [...list];
    copy[i] = item;
  }
  return copy ?? list;
}

function adaptedMembers(object: JsonObject, other: JsonObject, { fields, members }: Amounts): JsonObject {
  const changed: [string, JsonValue][] = [];
  const look = (name: string, amounts: Amounts): void => {
    const member = ownMember(object, name);
    const next = adapted(member, ownMember(other, name), amounts);
    if (next !== member) changed.push([name, next as JsonValue]);
  };
  for (const [name, amounts] of fields) look(name, amounts);
  if (members) for (const name of Object.keys(object)) if (!fields.has(name)) look(name, members);
  return changed.length === 0 ? object : withMembers(object, changed);
}

function withMembers(object: JsonObject, changed: readonly [string, JsonValue][]): JsonObject {
  const members = new Map([...Object.entries(object), ...changed]);
  return objectOf([...members]) as JsonObject;
}
