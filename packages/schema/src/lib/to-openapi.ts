import { type JsonObject, type JsonValue, type Schema, setMember, type Vocabulary } from '@ashlar/core';
import { type Keyword, openApiKeywords } from './openapi-keywords.ts';

/** How to write OpenAPI. */
export interface ToOpenApiOptions {
  /** Whose prefix vendor extensions get. */
  readonly vocabulary: Vocabulary;
  /** The address of a part that stands elsewhere in the document; undefined writes the part in place. Not asked for the root. */
  readonly reference?: (part: Schema) => string | undefined;
}

/**
 * Writes a schema as a schema object of OpenAPI v3, vendor extensions under their prefix. What only encodings need
 * (`typeName`, `tag`, `optional`, `alwaysPrinted`) has no keyword and is left out.
 *
 * @example
 * toOpenApi({ intOrString: true }, { vocabulary }); // { 'x-…-int-or-string': true }
 */
export function toOpenApi(schema: Schema, options: ToOpenApiOptions): JsonObject {
  const keywords = openApiKeywords(options.vocabulary);
  const write = (part: Schema): JsonObject => {
    const address = part === schema ? undefined : options.reference?.(part);
    if (address !== undefined) return { $ref: address };
    const document: Record<string, JsonValue> = {};
    for (const keyword of keywords) {
      if (part[keyword.member] !== undefined) document[keyword.keyword] = writeMember(part, keyword, write);
    }
    return document;
  };
  return write(schema);
}

function writeMember(
  schema: Schema,
  { member, shape }: Keyword,
  write: (part: Schema) => JsonObject,
): JsonValue {
  const value: unknown = schema[member];
  switch (shape) {
    case 'schema':
      return write(value as Schema);
    case 'schemas':
      return (value as readonly Schema[]).map(write);
    case 'schemaOrFlag':
      return typeof value === 'boolean' ? value : write(value as Schema);
    case 'properties': {
      const properties: Record<string, JsonValue> = {};
      for (const [name, part] of Object.entries(value as Readonly<Record<string, Schema>>)) {
        setMember(properties, name, write(part));
      }
      return properties;
    }
    default:
      return value as JsonValue;
  }
}
