import type { JsonObject, JsonValue, Schema, Vocabulary } from '@ashlar/core';

/** Whether a schema is a built-in type with a schema of its own. Texts and lists of a named type are written in place. */
export function isNamed({ type, format, typeName }: Schema): boolean {
  return typeName !== undefined && type !== 'array' && (type !== 'string' || format !== undefined);
}

/** Formats that only encodings know, as documents say them. */
const PUBLISHED_FORMATS: Readonly<Record<string, Partial<Schema>>> = {
  'date-time-micro': { format: 'date-time' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
};
const ENCODING_FORMATS = new Set(['date-time-micro', 'duration', 'fields-v1', 'quantity', 'raw-extension']);

/** A named type as it stands alone: without what only the field is that it was met in. */
export function componentForm(type: Schema): Schema {
  const { default: _, patchStrategy, patchMergeKey, description, ...own } = type;
  const form = published(own);
  return type.tag === undefined && description !== undefined ? { ...form, description } : form;
}

function published(type: Schema): Schema {
  if (type.intOrString) return { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] };
  const { format = '', ...plain } = type;
  if (!ENCODING_FORMATS.has(format)) return type;
  const { type: name, ...untyped } = plain;
  return { ...(format === 'quantity' ? untyped : plain), ...PUBLISHED_FORMATS[format] };
}

/**
 * A field of a named type. OpenAPI 3.0 has nothing beside a reference, so what the field says of itself goes around it (semantics/discovery#openapi).
 * @param component the schema of the type
 */
export function withSiblings(
  field: Schema,
  reference: JsonObject,
  component: JsonObject,
  { extensionPrefix }: Vocabulary,
): JsonObject {
  const siblings: Record<string, JsonValue> = {};
  if (field.tag !== undefined && field.description !== undefined) siblings.description = field.description;
  const value = field.default ?? impliedDefault(field);
  if (value !== undefined) siblings.default = value;
  if (field.patchStrategy) siblings[`${extensionPrefix}patch-strategy`] = field.patchStrategy;
  if (field.patchMergeKey) siblings[`${extensionPrefix}patch-merge-key`] = field.patchMergeKey;
  const mapType = `${extensionPrefix}map-type`;
  if (field.mapType && field.mapType !== component[mapType]) siblings[mapType] = field.mapType;
  return Object.keys(siblings).length === 0 ? reference : { ...siblings, allOf: [reference] };
}

/** Objects that are not pointers are never absent. */
function impliedDefault({ type, format, optional }: Schema): JsonValue | undefined {
  return type === 'object' && !optional && format === undefined ? {} : undefined;
}

const ZEROS: Readonly<Record<string, JsonValue>> = { integer: 0, number: 0, boolean: false };

/** A number or flag that is always printed, with the value that it has when nobody says; undefined for other fields. */
export function withZero(field: Schema): Schema | undefined {
  const zero = ZEROS[field.type ?? ''];
  if (!field.alwaysPrinted || field.optional || field.default !== undefined || zero === undefined)
    return undefined;
  return { ...field, default: zero };
}
