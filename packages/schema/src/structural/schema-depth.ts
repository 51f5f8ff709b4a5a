import { isJsonObject, type JsonObject, type JsonValue, type Steps } from '@ashlar/core';

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
const COMBINATIONS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not']);

/** Schemas between two pauses: one alone may have as many parts as fit into a body. */
const SCHEMAS_PER_STEP = 512;

/** Whether a schema is nested deeper than {@link MAXIMUM_SCHEMA_DEPTH}. Pauses in a large one. */
export function* isNestedTooDeepSteps(schema: JsonObject): Steps<boolean> {
  let count = 0;
  let level: JsonObject[] = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAXIMUM_SCHEMA_DEPTH) return true;
    const below: JsonObject[] = [];
    for (const each of level)
      for (const [, part] of partsOf(each)) {
        below.push(part);
        if (++count % SCHEMAS_PER_STEP === 0) yield;
      }
    level = below;
  }
  return false;
}

/** Counts the schemas in `allOf`, `anyOf`, `oneOf` and `not` anywhere in a schema. Any depth is safe. Pauses in a large one. */
export function* countCombinedSchemasSteps(schema: JsonValue): Steps<number> {
  let combined = 0;
  let count = 0;
  const pending: JsonObject[] = isJsonObject(schema) ? [schema] : [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const [keyword, part] of partsOf(next)) {
      pending.push(part);
      if (COMBINATIONS.has(keyword)) combined++;
      if (++count % SCHEMAS_PER_STEP === 0) yield;
    }
  return combined;
}

/** The schemas in a schema, one by one, each with its keyword. */
function* partsOf(schema: JsonObject): Iterable<readonly [string, JsonObject]> {
  for (const keyword in schema) {
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null) continue;
    if (NAMED.has(keyword)) {
      for (const name of Object.keys(value)) {
        const part = (value as JsonObject)[name];
        if (isJsonObject(part)) yield [keyword, part];
      }
    } else if (OTHERS.has(keyword)) {
      for (const part of Array.isArray(value) ? value : [value])
        if (isJsonObject(part)) yield [keyword, part];
    }
  }
}
