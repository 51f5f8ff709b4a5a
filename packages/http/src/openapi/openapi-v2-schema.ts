import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  setMember,
  type Vocabulary,
} from '@ashlar/core';

/**
 * Keywords that OpenAPI v2 does not support, and `default`, which its clients misinterpret
 * (semantics/discovery#openapi).
 */
const UNKNOWN_TO_V2: ReadonlySet<string> = new Set(['default', 'allOf', 'anyOf', 'oneOf', 'not', 'nullable']);

/** Rewrites a reference into the components of v3 as one to the definitions of v2. */
export function v2Reference(reference: string): string {
  return reference.replace('#/components/schemas/', '#/definitions/');
}

/**
 * Converts a schema of OpenAPI v3 to v2: unsupported keywords are omitted, and fields whose type v2 cannot express have no
 * type (semantics/discovery#openapi).
 */
export function v2Schema(schema: JsonObject, vocabulary: Vocabulary): JsonObject {
  if (isKindThatKeepsAll(schema, vocabulary)) return emptied(schema, vocabulary);
  return convert(schema, vocabulary);
}

function convert(schema: JsonObject, vocabulary: Vocabulary): JsonObject {
  const reference = referenceOf(schema);
  if (reference) return { ...sharedKeywords(schema), $ref: v2Reference(reference) };
  const type = v2Type(schema, vocabulary);
  const hasShape = schema.nullable !== true && schema[extension(vocabulary, PRESERVE)] !== true;
  const document: Record<string, JsonValue> = {
    ...sharedKeywords(schema),
    ...(type !== undefined && { type }),
  };
  if (hasShape && isJsonObject(schema.items)) document.items = convert(schema.items, vocabulary);
  const properties = hasShape ? schema.properties : identityProperties(schema, vocabulary);
  if (isJsonObject(properties as JsonValue))
    document.properties = v2Properties(properties as JsonObject, vocabulary);
  const required = v2Required(schema, vocabulary);
  if (required.length > 0) document.required = required;
  const more = schema.additionalProperties;
  if (more !== undefined)
    document.additionalProperties = isJsonObject(more) ? convert(more, vocabulary) : more;
  return document;
}

const PRESERVE = 'preserve-unknown-fields';
const extension = ({ extensionPrefix }: Vocabulary, name: string): string => extensionPrefix + name;
const STRUCTURE: ReadonlySet<string> = new Set([
  'type',
  'items',
  'properties',
  'required',
  'additionalProperties',
]);

/** Returns the keywords that are the same in v2. */
function sharedKeywords(schema: JsonObject): JsonObject {
  return objectOf(
    Object.entries(schema).filter(([keyword]) => !UNKNOWN_TO_V2.has(keyword) && !STRUCTURE.has(keyword)),
  );
}

/** Returns the target of a schema that wraps one reference. */
function referenceOf({ $ref, allOf }: JsonObject): string | undefined {
  if (typeof $ref === 'string') return $ref;
  if (!Array.isArray(allOf) || allOf.length !== 1 || typeof allOf[0]?.$ref !== 'string') return undefined;
  return allOf[0].$ref;
}

function v2Type(schema: JsonObject, vocabulary: Vocabulary): JsonValue | undefined {
  const { type } = schema;
  // ints or strings and quantities: one of several types, of which v2 clients know the string; a custom kind says otherwise that it has none
  if (type === undefined && Array.isArray(schema.oneOf) && !isUntyped(schema, vocabulary)) return 'string';
  const keepsAll = schema[extension(vocabulary, PRESERVE)] === true;
  if (schema.nullable === true || (keepsAll && type === 'object')) return undefined;
  const hasItems = isJsonObject(schema.items) && !keepsAll;
  return type === 'array' && !hasItems ? undefined : type;
}

const isUntyped = (schema: JsonObject, vocabulary: Vocabulary): boolean =>
  schema[extension(vocabulary, PRESERVE)] === true || schema[extension(vocabulary, 'int-or-string')] === true;

/** A nullable embedded resource has no properties in v2 but those by which it is known. */
function identityProperties(schema: JsonObject, vocabulary: Vocabulary): JsonObject | undefined {
  if (schema[extension(vocabulary, PRESERVE)] === true || !isEmbedded(schema, vocabulary)) return undefined;
  const { apiVersion, kind, metadata } = (schema.properties ?? {}) as Readonly<Record<string, JsonObject>>;
  return { ...(apiVersion && { apiVersion }), ...(kind && { kind }), ...(metadata && { metadata }) };
}

const isEmbedded = (schema: JsonObject, vocabulary: Vocabulary): boolean =>
  schema[extension(vocabulary, 'embedded-resource')] === true;

function v2Properties(properties: JsonObject, vocabulary: Vocabulary): JsonObject {
  const written: Record<string, JsonValue> = {};
  for (const [name, part] of Object.entries(properties))
    setMember(written, name, isJsonObject(part as JsonValue) ? convert(part as JsonObject, vocabulary) : {});
  return written;
}

/** Nullable fields that are shown are not required; nor are those of an embedded resource that preserves unknown fields. */
function v2Required(schema: JsonObject, vocabulary: Vocabulary): readonly string[] {
  const names = (schema.required ?? []) as readonly string[];
  const { properties, additionalProperties: more } = schema;
  if (isJsonObject(more as JsonValue) && (more as JsonObject).nullable === true) return [];
  const keepsAll = schema[extension(vocabulary, PRESERVE)] === true;
  return names.filter((name) => {
    if (keepsAll && isEmbedded(schema, vocabulary) && (name === 'kind' || name === 'apiVersion'))
      return false;
    const hidesAll = keepsAll || schema.nullable === true;
    const part = hidesAll ? undefined : (properties as JsonObject | undefined)?.[name];
    return !isJsonObject(part as JsonValue) || (part as JsonObject).nullable !== true;
  });
}

/** Clients of v2 reject unlisted fields, so a kind that preserves unknown fields lists none. */
function isKindThatKeepsAll(schema: JsonObject, vocabulary: Vocabulary): boolean {
  return schema[extension(vocabulary, PRESERVE)] === true && kindsOf(schema, vocabulary) !== undefined;
}

const kindsOf = (schema: JsonObject, vocabulary: Vocabulary): JsonValue | undefined =>
  schema[extension(vocabulary, 'group-version-kind')];

function emptied(schema: JsonObject, vocabulary: Vocabulary): JsonObject {
  const selectable = extension(vocabulary, 'selectable-fields');
  return {
    type: 'object',
    [extension(vocabulary, 'group-version-kind')]: kindsOf(schema, vocabulary) as JsonValue,
    ...(schema[selectable] !== undefined && { [selectable]: schema[selectable] as JsonValue }),
  };
}
