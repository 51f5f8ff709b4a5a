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

const COMBINATIONS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not']);

/** Counts the schemas in `allOf`, `anyOf`, `oneOf` and `not` anywhere in a schema. Any depth is safe. */
export function countCombinedSchemas(schema: JsonValue): number {
  let count = 0;
  const pending: JsonObject[] = isJsonObject(schema) ? [schema] : [];
  const push = (parts: readonly (JsonValue | undefined)[]): void => {
    for (const part of parts) if (isJsonObject(part)) pending.push(part);
  };
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [keyword, value] of Object.entries(next)) {
      if (typeof value !== 'object' || value === null) continue;
      const before = pending.length;
      if (OTHERS.has(keyword)) push(Array.isArray(value) ? value : [value]);
      else if (NAMED.has(keyword)) push(Object.values(value));
      if (COMBINATIONS.has(keyword)) count += pending.length - before;
    }
  }
  return count;
}

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
