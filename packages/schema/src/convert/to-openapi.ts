import {
  type JsonObject,
  type JsonValue,
  oncePerVocabulary,
  type Schema,
  setMember,
  type Vocabulary,
} from '@ashlar/core';
import { type Keyword, openApiKeywords } from './openapi-keywords.ts';

/** Options of writing OpenAPI. */
export interface ToOpenApiOptions {
  /** Vocabulary whose prefix vendor extensions get. */
  readonly vocabulary: Vocabulary;
  /**
   * Returns the replacement of a part: a reference, for example. `write` converts a schema, its own parts by
   * this rule. Not called for the root.
   */
  readonly part?: (part: Schema, write: (schema: Schema) => JsonObject) => JsonObject | undefined;
}

/**
 * Converts a schema to a schema object of OpenAPI v3, vendor extensions with their prefix. Members for
 * encodings (`typeName`, `tag`, `optional`, `alwaysPrinted`) have no keyword and are omitted.
 *
 * @example
 * toOpenApi({ intOrString: true }, { vocabulary }); // { 'x-…-int-or-string': true }
 */
export function toOpenApi(schema: Schema, options: ToOpenApiOptions): JsonObject {
  const keywords = keywordsByMember(options.vocabulary);
  const write = (input: Schema): JsonObject => {
    const document: Record<string, JsonValue> = {};
    for (const member in input) {
      const keyword = keywords.get(member);
      if (keyword && input[keyword.member] !== undefined)
        document[keyword.keyword] = writeMember(input, keyword, writePart);
    }
    return document;
  };
  const writePart = (part: Schema): JsonObject => options.part?.(part, write) ?? write(part);
  return write(schema);
}

/** A document contains many schemas, all with the same keywords. */
const keywordsByMember = oncePerVocabulary(
  (vocabulary): ReadonlyMap<string, Keyword> =>
    new Map(openApiKeywords(vocabulary).map((keyword) => [keyword.member, keyword])),
);

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
