import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** Maximum nesting of schemas: deeper ones would overflow the stack when compiled. */
export const MAXIMUM_SCHEMA_DEPTH = 256;

const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  'dependencies',
]);
const OTHERS: ReadonlySet<string> = new Set([
  ...['items', 'additionalProperties', 'additionalItems', 'not', 'allOf', 'anyOf', 'oneOf'],
]);

/** Whether a schema is nested deeper than {@link MAXIMUM_SCHEMA_DEPTH}. */
export const isNestedTooDeep = (schema: JsonObject): boolean => isDeeper(schema, MAXIMUM_SCHEMA_DEPTH);

/** Stops at the limit, so that depth is safe. */
function isDeeper(schema: JsonObject, levels: number): boolean {
  if (levels === 0) return true;
  for (const keyword in schema) {
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null) continue;
    if (NAMED.has(keyword) && isJsonObject(value) && isAnyDeeper(Object.values(value), levels)) return true;
    if (OTHERS.has(keyword) && isAnyDeeper(Array.isArray(value) ? value : [value], levels)) return true;
  }
  return false;
}

function isAnyDeeper(parts: readonly (JsonValue | undefined)[], levels: number): boolean {
  for (const part of parts) if (isJsonObject(part) && isDeeper(part, levels - 1)) return true;
  return false;
}
