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
  const isDeepPart = (part: JsonValue | undefined): boolean =>
    isJsonObject(part) && isDeeper(part, levels - 1);
  for (const keyword in schema) {
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null) continue;
    if (NAMED.has(keyword) && isJsonObject(value) && Object.values(value).some(isDeepPart)) return true;
    if (OTHERS.has(keyword) && (Array.isArray(value) ? value.some(isDeepPart) : isDeepPart(value)))
      return true;
  }
  return false;
}
