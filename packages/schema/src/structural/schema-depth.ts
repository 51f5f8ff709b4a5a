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
  const parts = new SchemaParts();
  let level: JsonObject[] = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAXIMUM_SCHEMA_DEPTH) return true;
    const below: JsonObject[] = [];
    for (const each of level) yield* parts.addSteps(each, below);
    level = below;
  }
  return false;
}

/** Counts the schemas in `allOf`, `anyOf`, `oneOf` and `not` anywhere in a schema. Any depth is safe. Pauses in a large one. */
export function* countCombinedSchemasSteps(schema: JsonValue): Steps<number> {
  const parts = new SchemaParts();
  const pending: JsonObject[] = isJsonObject(schema) ? [schema] : [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    yield* parts.addSteps(next, pending);
  return parts.combined;
}

/** Finds the schemas in schemas, with a pause after some hundreds. */
class SchemaParts {
  #count = 0;
  /** How many of them stood in combinations. */
  combined = 0;

  /** Adds those directly inside of one to a list. */
  *addSteps(schema: JsonObject, into: JsonObject[]): Steps<void> {
    for (const keyword in schema) {
      const value = schema[keyword];
      if (typeof value !== 'object' || value === null) continue;
      if (NAMED.has(keyword)) {
        for (const name of Object.keys(value))
          if (this.#add((value as JsonObject)[name], keyword, into)) yield;
      } else if (OTHERS.has(keyword)) {
        for (const part of Array.isArray(value) ? value : [value]) if (this.#add(part, keyword, into)) yield;
      }
    }
  }

  /** Adds a value that is a schema. @returns whether a pause is due */
  #add(value: JsonValue | undefined, keyword: string, into: JsonObject[]): boolean {
    if (value === undefined || !isJsonObject(value)) return false;
    into.push(value);
    if (COMBINATIONS.has(keyword)) this.combined++;
    return ++this.#count % SCHEMAS_PER_STEP === 0;
  }
}
