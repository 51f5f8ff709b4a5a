import type { ApiObject, JsonObject, JsonValue, Schema } from '@ashlar/core';

/** The parts of a schema on the way to required lists. */
interface RequiredLists {
  readonly isRequired: boolean;
  readonly fields: readonly (readonly [string, RequiredLists])[];
  readonly items: RequiredLists | undefined;
}

const compiled: WeakMap<Schema, { readonly lists: RequiredLists | undefined }> = new WeakMap();

/**
 * Returns an object whose required lists are null where they are empty, as they are read (semantics/encodings#json): stores of the reference
 * do not distinguish the two. The object itself if it has none.
 */
export function withoutEmptyLists<T extends ApiObject>(schema: Schema, object: T): T {
  let found = compiled.get(schema);
  if (!found) {
    found = { lists: requiredLists(schema) };
    compiled.set(schema, found);
  }
  return found.lists ? (withNulls(object as unknown as JsonValue, found.lists) as unknown as T) : object;
}

/** Schemas of stored kinds end at this depth at the latest. */
const MOST_DEPTH = 24;

function requiredLists(schema: Schema, depth = 0): RequiredLists | undefined {
  if (depth > MOST_DEPTH) return undefined;
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const lists = requiredLists(part, depth + 1);
    return lists ? [[name, lists] as const] : [];
  });
  const items = schema.items && requiredLists(schema.items, depth + 1);
  const isRequired = schema.items !== undefined && schema.alwaysPrinted === true && !schema.optional;
  return isRequired || items || fields.length > 0 ? { isRequired, fields, items } : undefined;
}

function withNulls(value: JsonValue, { isRequired, fields, items }: RequiredLists): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (value.length === 0) return isRequired ? null : value;
    return items ? itemsWithNulls(value, items) : value;
  }
  const object = value as JsonObject;
  let changed: JsonObject | undefined;
  for (const [name, lists] of fields) {
    const member = object[name];
    const read = member === undefined ? undefined : withNulls(member, lists);
    if (read !== member) changed = { ...(changed ?? object), [name]: read };
  }
  return changed ?? value;
}

function itemsWithNulls(list: readonly JsonValue[], lists: RequiredLists): JsonValue {
  const read = list.map((item) => withNulls(item, lists));
  return read.every((item, index) => item === list[index]) ? list : read;
}
