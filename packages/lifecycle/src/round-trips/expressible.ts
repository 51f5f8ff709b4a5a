import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, type Schema } from '@ashlar/core';

/** Returns what of a value a schema has: without unknown members, and without values that are of another type or not listed. */
export function expressible(value: JsonValue, schema: Schema): JsonValue | undefined {
  if (!isOfType(value, schema)) return undefined;
  if (Array.isArray(value)) {
    const { items } = schema;
    // an item cannot be left out: the others would have other places
    return items ? value.map((item) => expressible(item, items) ?? null) : value;
  }
  return isJsonObject(value) ? expressibleObject(value, schema) : value;
}

function expressibleObject(object: JsonObject, schema: Schema): JsonObject {
  const { properties = {}, additionalProperties: values, preserveUnknownFields } = schema;
  const kept = Object.entries(object).flatMap(([name, member]): (readonly [string, JsonValue])[] => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const declared = own ?? (typeof values === 'object' ? values : undefined);
    if (member === undefined) return [];
    if (declared) {
      const found = expressible(member, declared);
      return found === undefined ? [] : [[name, found]];
    }
    return preserveUnknownFields || values === true ? [[name, member]] : [];
  });
  return Object.fromEntries(kept);
}

function isOfType(value: JsonValue, { type, intOrString, nullable, enum: listed = [] }: Schema): boolean {
  if (value === null) return nullable === true || type === undefined;
  if (listed.length > 0 && !listed.some((each) => jsonEqual(each, value))) return false;
  if (intOrString) return typeof value === 'string' || Number.isInteger(value);
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}
