import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** Keywords that structural schemas cannot have, by their name in errors, in the order in which they are looked for. */
const UNSUPPORTED = [
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
  ['definitions', 'definitions'],
] as const;

/** Returns why a schema cannot be structural by one of its keywords: what is found first; undefined if there is none. */
export function unsupportedKeyword(schema: JsonValue | undefined): string | undefined {
  if (schema === undefined || !isJsonObject(schema)) return undefined;
  const found = UNSUPPORTED.find(([keyword]) => isUsed(keyword, schema[keyword]));
  if (found) return `OpenAPIV3Schema '${found[1]}' is not supported`;
  if (Array.isArray(schema.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  for (const part of partsOf(schema)) {
    const why = unsupportedKeyword(part);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Whether a keyword says something: empty texts and maps do not, but an empty schema does. */
function isUsed(keyword: string, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  return keyword === 'additionalItems' || !isJsonObject(value) || Object.keys(value).length > 0;
}

/** The schemas within a schema, in the order in which they are looked into. */
function* partsOf(schema: JsonObject): Iterable<JsonValue | undefined> {
  yield schema.not;
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const schemas = schema[keyword];
    if (Array.isArray(schemas)) yield* schemas;
  }
  yield schema.items;
  if (isJsonObject(schema.properties ?? null)) yield* Object.values(schema.properties as JsonObject);
  yield schema.additionalProperties;
}
