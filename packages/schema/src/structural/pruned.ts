import { isJsonObject, type JsonObject, type JsonValue, type Schema } from '@ashlar/core';
import type { Fits } from '../validate/fits.ts';
import { type Compiled, CompiledSchema } from './compiled-schema.ts';
import { META_FIELDS } from './prune.ts';
import { mapProperties } from './schema-parts.ts';

/**
 * Compiles a check that an object has no unknown field: true exactly if pruning would change nothing.
 * Allocates nothing at run time.
 */
export function compilePruned(schema: Schema): Compiled<Fits> {
  return new CompiledSchema(schema, (part, compile) =>
    compileNode(part, part === schema || part.embeddedResource === true, preservesIn(part), compile),
  );
}

type CompileNode = (part: Schema) => Fits;

/** `preserves` is independent of the schema: if a list preserves unknown fields, its items do too. */
function compileNode(schema: Schema, isResource: boolean, preserves: boolean, compile: CompileNode): Fits {
  const items = compileItems(schema, preserves, compile);
  const members = compileMembers(schema, isResource, preserves, compile);
  if (items === KNOWN && members === KNOWN) return KNOWN;
  return (value) => {
    if (typeof value !== 'object' || value === null) return true;
    return Array.isArray(value) ? items(value) : members(value);
  };
}

const KNOWN: Fits = () => true;

function compileItems({ items }: Schema, preserves: boolean, compile: CompileNode): Fits {
  if (!items) return preserves ? KNOWN : holdsNoFields;
  const inside =
    preserves && !preservesIn(items)
      ? compileNode(items, items.embeddedResource === true, true, compile)
      : compile(items);
  if (inside === KNOWN) return KNOWN;
  return (value) => {
    for (const item of value as readonly JsonValue[]) if (!inside(item)) return false;
    return true;
  };
}

const preservesIn = (schema: Schema): boolean => schema.preserveUnknownFields === true;

function compileMembers(schema: Schema, isResource: boolean, preserves: boolean, compile: CompileNode): Fits {
  const { additionalProperties } = schema;
  const properties = mapProperties(schema, compile);
  if (isResource) for (const name of META_FIELDS) properties.set(name, KNOWN);
  const other =
    typeof additionalProperties === 'object'
      ? compile(additionalProperties)
      : additionalProperties !== undefined
        ? holdsNoFields
        : preserves
          ? KNOWN
          : undefined;
  if (other === KNOWN && areKnown(properties.values())) return KNOWN;
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

function areKnown(nodes: Iterable<Fits>): boolean {
  for (const node of nodes) if (node !== KNOWN) return false;
  return true;
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
