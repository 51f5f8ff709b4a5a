import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** Schemas nested deeper than this are refused: what is compiled from them would not fit on a stack. */
export const MAXIMUM_SCHEMA_DEPTH = 256;

const NAMED = ['properties', 'patternProperties', 'definitions', 'dependencies'];
const OTHERS = ['items', 'additionalProperties', 'additionalItems', 'not', 'allOf', 'anyOf', 'oneOf'];

/** Whether a schema is nested deeper than {@link MAXIMUM_SCHEMA_DEPTH}; walks level by level, so that depth is no harm. */
export function isNestedTooDeep(schema: JsonObject): boolean {
  let level: JsonObject[] = [schema];
  for (let depth = 0; depth < MAXIMUM_SCHEMA_DEPTH; depth++) {
    if (level.length === 0) return false;
    const next: JsonObject[] = [];
    for (const each of level) for (const part of partsOf(each)) next.push(part);
    level = next;
  }
  return level.length > 0;
}

function* partsOf(schema: JsonObject): Iterable<JsonObject> {
  for (const keyword of NAMED) {
    const value = schema[keyword];
    if (value !== undefined && isJsonObject(value)) yield* objectsOf(Object.values(value));
  }
  for (const keyword of OTHERS) {
    const value = schema[keyword];
    yield* objectsOf(Array.isArray(value) ? value : [value]);
  }
}

function* objectsOf(values: readonly (JsonValue | undefined)[]): Iterable<JsonObject> {
  for (const value of values) if (value !== undefined && isJsonObject(value)) yield value;
}
