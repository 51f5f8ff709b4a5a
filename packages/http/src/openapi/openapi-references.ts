import type { JsonObject, JsonValue, Schema, Vocabulary } from '@ashlar/core';

/** Whether a schema is a built-in type with a component of its own. Named strings and lists are inlined. */
export function isNamed({ type, format, typeName }: Schema): boolean {
  return typeName !== undefined && type !== 'array' && (type !== 'string' || format !== undefined);
}

/** Formats that only encodings use, as documents describe them. */
const PUBLISHED_FORMATS: Readonly<Record<string, Partial<Schema>>> = {
  'date-time-micro': { format: 'date-time' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
};
const ENCODING_FORMATS = new Set(['date-time-micro', 'duration', 'fields-v1', 'quantity', 'raw-extension']);

/** Returns a named type as a component: without the keywords of the field in which it was found. */
export function componentForm(type: Schema): Schema {
  const { default: _, patchStrategy, patchMergeKey, listType, anyOf, description, ...own } = type;
  const { properties, ...withoutProperties } = published(own);
  const isEmpty = properties === undefined || Object.keys(properties).length === 0;
  const form = isEmpty ? withoutProperties : { ...withoutProperties, properties };
  return type.tag === undefined && description !== undefined ? { ...form, description } : form;
}

function published(type: Schema): Schema {
  if (type.intOrString) return { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] };
  const { format = '', ...withoutFormat } = type;
  if (!ENCODING_FORMATS.has(format)) return type;
  const { type: name, ...untyped } = withoutFormat;
  return { ...(format === 'quantity' ? untyped : withoutFormat), ...PUBLISHED_FORMATS[format] };
}

/**
 * Returns a field of a named type, or the items of a list of it. OpenAPI 3.0 allows nothing beside a reference, so keywords are
 * wrapped around it; fields have a wrapper also without keywords (semantics/discovery#openapi).
 * @param component the schema of the type
 */
export function withSiblings(
  field: Schema,
  reference: JsonObject,
  component: JsonObject,
  { extensionPrefix }: Vocabulary,
): JsonObject {
  if (field.bareReference) return reference;
  const siblings: Record<string, JsonValue> = {};
  if (field.tag !== undefined && field.description !== undefined) siblings.description = field.description;
  const value = publishedDefault(field) ?? impliedDefault(field);
  if (value !== undefined) siblings.default = value;
  if (field.patchStrategy) siblings[`${extensionPrefix}patch-strategy`] = field.patchStrategy;
  if (field.patchMergeKey) siblings[`${extensionPrefix}patch-merge-key`] = field.patchMergeKey;
  if (field.listType) siblings[`${extensionPrefix}list-type`] = field.listType;
  const mapType = `${extensionPrefix}map-type`;
  if (field.mapType && field.mapType !== component[mapType]) siblings[mapType] = field.mapType;
  const isBare = field.tag === undefined && Object.keys(siblings).length === 0;
  return isBare ? reference : { ...siblings, allOf: [reference] };
}

const publishedDefault = ({ default: value, hiddenDefault }: Schema): JsonValue | undefined =>
  hiddenDefault ? undefined : value;

/** Objects that are not pointers are never absent. */
function impliedDefault({ type, format, optional }: Schema): JsonValue | undefined {
  return type === 'object' && !optional && format === undefined ? {} : undefined;
}

/** Defaults of values that are always printed. */
const ZEROS: Readonly<Record<string, JsonValue>> = { integer: 0, number: 0, boolean: false };

/** Returns a field as it is published, where that is not what the server knows: with another default or without. */
export function publishedField(field: Schema): Schema | undefined {
  const { hiddenDefault, default: value, ...rest } = field;
  const shown = hiddenDefault ? undefined : value;
  const zero = ZEROS[field.type ?? ''];
  if (field.alwaysPrinted && !field.optional && shown === undefined && zero !== undefined)
    return { ...rest, default: zero };
  return hiddenDefault ? rest : undefined;
}
