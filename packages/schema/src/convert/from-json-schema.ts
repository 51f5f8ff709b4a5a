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
  /** Whose prefix vendor extensions have. */
  readonly vocabulary: Vocabulary;
  /** Treatment of types that contain themselves; rejected by default. */
  readonly cycles?: Cycles;
  /** Called for each keyword that is omitted. Without it such keywords are rejected. */
  readonly report?: (unknown: UnknownKeyword) => void;
}

/**
 * Reads a JSON Schema, with what it refers to within itself (`#/$defs/…`, `#/definitions/…`) put in place. Of JSON Schema beyond
 * OpenAPI 3.0 it knows `type: [x, null]`, `const` and numbers as exclusive bounds.
 *
 * @throws TypeError that names what cannot be read
 * @example
 * fromJsonSchema({ $ref: '#/$defs/size', $defs: { size: { type: ['integer', 'null'] } } }, { vocabulary });
 * // { type: 'integer', nullable: true }
 */
export function fromJsonSchema(document: JsonValue, options: FromDocumentOptions): Schema {
  return read(document, document, options);
}

/** The schemas that an OpenAPI document names. */
export interface ComponentSchemas {
  readonly names: readonly string[];
  /**
   * The schema of a name, with what it refers to put in place; read once.
   * @throws TypeError that names what cannot be read, or that there is none of the name
   */
  schema(name: string): Schema;
}

/**
 * Reads the schemas of an OpenAPI document: `components.schemas` of version 3, `definitions` of version 2.
 *
 * @throws TypeError for what is no such document
 * @example
 * fromOpenApiDocument(document, { vocabulary, cycles: 'preserve', report: () => {} }).schema('com.example.v1.Shelf');
 */
export function fromOpenApiDocument(document: JsonValue, options: FromDocumentOptions): ComponentSchemas {
  const schemas = schemasOf(document);
  const made = new Map<string, Schema>();
  return {
    names: Object.keys(schemas),
    schema(name) {
      const known = made.get(name);
      if (known) return known;
      const part = ownMember(schemas, name);
      if (part === undefined) throw new TypeError(`the document has no schema ${JSON.stringify(name)}`);
      const schema = read(part, document, options);
      made.set(name, schema);
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
