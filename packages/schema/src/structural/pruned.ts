import { isJsonObject, type JsonObject, type JsonValue, type Schema } from '@ashlar/core';
import type { Fits } from '../validate/fits.ts';
import { META_FIELDS } from './prune.ts';

/**
 * Compiles a check that an object has no unknown field: true exactly if pruning would change nothing.
 * Allocates nothing at run time.
 */
export function compilePruned(schema: Schema): Fits {
  return compileNode(schema, true, schema.preserveUnknownFields === true);
}

/** `preserves` is independent of the schema: if a list preserves unknown fields, its items do too. */
function compileNode(schema: Schema, isResource: boolean, preserves: boolean): Fits {
  const items = compileItems(schema, preserves);
  const members = compileMembers(schema, isResource, preserves);
  if (items === KNOWN && members === KNOWN) return KNOWN;
  return (value) => {
    if (typeof value !== 'object' || value === null) return true;
    return Array.isArray(value) ? items(value) : members(value);
  };
}

const KNOWN: Fits = () => true;

function compileItems({ items }: Schema, preserves: boolean): Fits {
  if (!items) return preserves ? KNOWN : holdsNoFields;
  const inside = compileNode(items, items.embeddedResource === true, preserves || preservesIn(items));
  if (inside === KNOWN) return KNOWN;
  return (value) => {
    for (const item of value as readonly JsonValue[]) if (!inside(item)) return false;
    return true;
  };
}

const preservesIn = (schema: Schema): boolean => schema.preserveUnknownFields === true;

const compilePart = (part: Schema): Fits =>
  compileNode(part, part.embeddedResource === true, preservesIn(part));

function compileMembers(schema: Schema, isResource: boolean, preserves: boolean): Fits {
  const { additionalProperties } = schema;
  const properties = new Map(
    Object.entries(schema.properties ?? {}).map(([name, part]) => [name, compilePart(part)]),
  );
  if (isResource) for (const name of META_FIELDS) properties.set(name, KNOWN);
  const other =
    typeof additionalProperties === 'object'
      ? compilePart(additionalProperties)
      : additionalProperties !== undefined
        ? holdsNoFields
        : preserves
          ? KNOWN
          : undefined;
  if (other === KNOWN && [...properties.values()].every((node) => node === KNOWN)) return KNOWN;
  return (value) => {
    for (const key in value as JsonObject) {
      const member = (value as JsonObject)[key];
      if (member === undefined) continue;
      const node = properties.get(key) ?? other;
      if (!node?.(member)) return false;
    }
    return true;
  };
}

/** Whether a value without a schema has no field anywhere. Not recursive, as the depth is unlimited. */
function holdsNoFields(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const waiting: JsonValue[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) for (const item of next) waiting.push(item);
    else if (isJsonObject(next)) {
      for (const key in next) if (next[key] !== undefined) return false;
    }
  }
  return true;
}
