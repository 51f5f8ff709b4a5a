import { isJsonObject, type JsonObject, type JsonValue, objectOf, type Vocabulary } from '@ashlar/core';

/**
 * Returns a schema of a definition by which objects keep unknown fields at every level, and that names the types of what has fields or
 * items: what a definition that keeps unknown fields meant by the schema.
 */
export function preservingSchema(schema: JsonObject, { extensionPrefix }: Vocabulary): JsonObject {
  const keeping = new KeepingSchemas(extensionPrefix);
  const { properties, ...rest } = schema;
  return {
    type: 'object',
    ...rest,
    ...(isSchema(properties) && { properties: keeping.ofTheObject(properties) }),
    ...(rest.additionalProperties === undefined && keeping.open),
  };
}

class KeepingSchemas {
  /** What keeps unknown fields. */
  readonly open: JsonObject;
  readonly #intOrString: string;

  constructor(prefix: string) {
    this.open = { [`${prefix}preserve-unknown-fields`]: true };
    this.#intOrString = `${prefix}int-or-string`;
  }

  /** The fields of the entire object: its metadata are never extended. */
  ofTheObject({ metadata, ...others }: JsonObject): JsonObject {
    return {
      ...this.#each(others),
      ...(isSchema(metadata) && { metadata: { type: 'object', ...metadata } }),
    };
  }

  #each(schemas: JsonObject): JsonObject {
    const entries = Object.entries(schemas);
    return objectOf(entries.map(([name, schema]) => [name, this.#of(schema as JsonValue)]));
  }

  #of(schema: JsonValue): JsonValue {
    if (!isSchema(schema)) return schema;
    const { properties, additionalProperties: values, items, type } = schema;
    if (isSchema(items)) return { type: 'array', ...schema, items: this.#of(items) };
    if (isSchema(values)) return { type: 'object', ...schema, additionalProperties: this.#of(values) };
    if (isSchema(properties))
      return { type: 'object', ...schema, properties: this.#each(properties), ...this.open };
    if (type === 'array') return { ...schema, items: this.open };
    const isAnything = type === undefined && schema[this.#intOrString] !== true;
    return type === 'object' || isAnything ? { ...schema, ...this.open } : schema;
  }
}

const isSchema = (value: JsonValue | undefined): value is JsonObject =>
  value !== undefined && isJsonObject(value);
