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
export function unsupportedKeyword(
  schema: JsonValue | undefined,
  extensionPrefix: string,
): string | undefined {
  if (schema === undefined || !isJsonObject(schema)) return undefined;
  const found = UNSUPPORTED.find(([keyword]) => isUsed(keyword, schema[keyword]));
  if (found) return `OpenAPIV3Schema '${found[1]}' is not supported`;
  const among = (parts: Iterable<JsonValue | undefined>): string | undefined => {
    for (const part of parts) {
      const why = unsupportedKeyword(part, extensionPrefix);
      if (why !== undefined) return why;
    }
    return undefined;
  };
  return among(combinedIn(schema)) ?? ownFault(schema, extensionPrefix) ?? among(structureOf(schema));
}

/** Looked for between the combinations of a schema and its structure. */
function ownFault(schema: JsonObject, extensionPrefix: string): string | undefined {
  const preserving = `${extensionPrefix}preserve-unknown-fields`;
  if (schema[preserving] === false) return `internal error: '${preserving}' must be true or undefined`;
  return Array.isArray(schema.items) && schema.items.length > 0
    ? "OpenAPIV3Schema 'items' must be a schema, but is an array"
    : undefined;
}

/** Whether a keyword says something: empty texts and maps do not, but an empty schema does. */
function isUsed(keyword: string, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  return keyword === 'additionalItems' || !isJsonObject(value) || Object.keys(value).length > 0;
}

/** The combined schemas, in the order in which they are looked into. */
function* combinedIn(schema: JsonObject): Iterable<JsonValue | undefined> {
  yield schema.not;
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const schemas = schema[keyword];
    if (Array.isArray(schemas)) yield* schemas;
  }
}

/** The schemas of parts. */
function* structureOf(schema: JsonObject): Iterable<JsonValue | undefined> {
  yield schema.items;
  if (isJsonObject(schema.properties ?? null)) yield* Object.values(schema.properties as JsonObject);
  yield schema.additionalProperties;
}
