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
  const { default: _, patchStrategy, patchMergeKey, description, ...own } = type;
  const form = published(own);
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
 * Returns a field of a named type. OpenAPI 3.0 allows nothing beside a reference, so keywords of the field
 * are wrapped around it (semantics/discovery#openapi).
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

/** Returns the default of a number or boolean that is always printed; undefined for other fields. */
export function withZero(field: Schema): Schema | undefined {
  const zero = ZEROS[field.type ?? ''];
  if (!field.alwaysPrinted || field.optional || field.default !== undefined || zero === undefined)
    return undefined;
  return { ...field, default: zero };
}
