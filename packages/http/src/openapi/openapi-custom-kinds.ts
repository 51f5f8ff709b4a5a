import {
  type JsonObject,
  type JsonValue,
  objectMetaSchema,
  type Schema,
  setMember,
  typeMetaProperties,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceVersion } from '@ashlar/registry';
import { toOpenApi } from '@ashlar/schema';
import type { ServedResource } from '../catalog/served-resource.ts';

/** Returns the replacement of a part of a schema; undefined if it stays. */
type Replace = (part: Schema, write: (schema: Schema) => JsonObject) => JsonObject | undefined;

const METADATA = objectMetaSchema.description as string;

/**
 * Returns the schema of a custom kind: its own, and what the server adds to every object
 * (semantics/discovery#openapi).
 * @param metadata a reference to the schema of object metadata
 * @param replace called first, for parts that are components
 */
export function customKindDocument(
  version: ResourceVersion,
  vocabulary: Vocabulary,
  metadata: JsonObject,
  replace: Replace,
): JsonObject {
  const common = commonProperties(metadata);
  const document = toOpenApi(version.schema, {
    vocabulary,
    part: (part, write) =>
      replace(part, write) ??
      (part.embeddedResource ? embedded(write(part), common) : alternatives(part, write)),
  });
  return {
    ...document,
    properties: merged(document.properties as JsonObject | undefined, common),
    [`${vocabulary.extensionPrefix}selectable-fields`]: selectableFields(version),
  };
}

/**
 * Returns the schema of its lists. @param item a reference to the schema of the objects @param metadata one
 * to that of list metadata
 */
export function customListDocument(
  { definition: { names }, version, vocabulary }: ServedResource,
  item: JsonObject,
  metadata: JsonObject,
): JsonObject {
  const items = { type: 'array', items: item, description: 'The objects.' };
  return {
    type: 'object',
    description: `Some or all objects of the kind ${names.kind}.`,
    required: ['items'],
    properties: { ...commonProperties(metadata, 'What all lists have in common.'), items },
    [`${vocabulary.extensionPrefix}selectable-fields`]: selectableFields(version),
  };
}

function commonProperties(metadata: JsonObject, description: string = METADATA): JsonObject {
  return {
    ...(typeMetaProperties as JsonObject),
    metadata: { description, allOf: [metadata] },
  };
}

/** Embedded resources have a kind and metadata, too. */
function embedded(document: JsonObject, common: JsonObject): JsonObject {
  const required = (document.required ?? []) as readonly string[];
  const missing = ['kind', 'apiVersion'].filter((name) => !required.includes(name));
  const properties = merged(document.properties as JsonObject | undefined, common);
  return { ...document, properties, required: [...required, ...missing] };
}

/**
 * Describes ints or strings in keywords that every reader of OpenAPI understands, unless the schema does so
 * already.
 */
function alternatives(part: Schema, write: (schema: Schema) => JsonObject): JsonObject | undefined {
  if (!part.intOrString || part.anyOf || part.allOf?.[0]?.anyOf) return undefined;
  return write({ ...part, anyOf: [{ type: 'integer' }, { type: 'string' }] });
}

function selectableFields({ selectableFields: fields }: ResourceVersion): JsonValue {
  return (fields?.names ?? []).map((fieldPath) => ({ fieldPath }));
}

function merged(own: JsonObject | undefined, common: JsonObject): JsonObject {
  const properties: Record<string, JsonValue> = {};
  for (const [name, part] of Object.entries({ ...own, ...common }))
    setMember(properties, name, part as JsonValue);
  return properties;
}
