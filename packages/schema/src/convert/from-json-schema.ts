import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  type Schema,
  type Vocabulary,
} from '@ashlar/core';
import { fromOpenApi, type UnknownKeyword } from './from-openapi.ts';
import { type Cycles, resolveReferences } from './json-references.ts';

/** Options of reading a document with references. */
export interface FromDocumentOptions {
  /** Vocabulary whose prefix vendor extensions have. */
  readonly vocabulary: Vocabulary;
  /** Treatment of recursive types; rejected by default. */
  readonly cycles?: Cycles;
  /** Called for each omitted keyword. By default such keywords are rejected. */
  readonly report?: (unknown: UnknownKeyword) => void;
}

/**
 * Converts a JSON Schema, with local references (`#/$defs/…`, `#/definitions/…`) inlined. Of JSON Schema
 * beyond OpenAPI 3.0 it supports `type: [x, null]`, `const` and numbers as exclusive bounds.
 *
 * @throws TypeError that names what cannot be converted
 * @example
 * fromJsonSchema({ $ref: '#/$defs/size', $defs: { size: { type: ['integer', 'null'] } } }, { vocabulary });
 * // { type: 'integer', nullable: true }
 */
export function fromJsonSchema(document: JsonValue, options: FromDocumentOptions): Schema {
  return read(document, document, options);
}

/** The named schemas of an OpenAPI document. */
export interface ComponentSchemas {
  readonly names: readonly string[];
  /**
   * The schema of a name, with references inlined; cached.
   * @throws TypeError if it cannot be converted, or does not exist
   */
  schema(name: string): Schema;
}

/**
 * Reads the schemas of an OpenAPI document: `components.schemas` of version 3, `definitions` of version 2.
 *
 * @throws TypeError for other documents
 * @example
 * fromOpenApiDocument(document, { vocabulary, cycles: 'preserve', report: () => {}
 * }).schema('com.example.v1.Shelf');
 */
export function fromOpenApiDocument(document: JsonValue, options: FromDocumentOptions): ComponentSchemas {
  const schemas = schemasOf(document);
  const converted = new Map<string, Schema>();
  return {
    names: Object.keys(schemas),
    schema(name) {
      const cached = converted.get(name);
      if (cached) return cached;
      const part = ownMember(schemas, name);
      if (part === undefined) throw new TypeError(`the document has no schema ${JSON.stringify(name)}`);
      const schema = read(part, document, options);
      converted.set(name, schema);
      return schema;
    },
  };
}

function schemasOf(document: JsonValue): JsonObject {
  const { components, definitions } = isJsonObject(document) ? document : {};
  const schemas = components !== undefined && isJsonObject(components) ? components.schemas : definitions;
  if (schemas === undefined || !isJsonObject(schemas)) throw new TypeError('the document has no schemas');
  return schemas;
}

function read(part: JsonValue, root: JsonValue, options: FromDocumentOptions): Schema {
  const { vocabulary, cycles = 'refuse', report } = options;
  const preserve = cycles === 'preserve' ? `${vocabulary.extensionPrefix}preserve-unknown-fields` : undefined;
  const resolved = resolveReferences(part, root, preserve);
  return fromOpenApi(resolved, { vocabulary, ...(report && { report }) });
}
