import type { Schema } from '@ashlar/core';

/** A property of a built-in type, with its Protobuf field number. */
export type Field = Schema & Required<Pick<Schema, 'tag'>>;

/** Description of a field, if any. */
const about = (description: string | undefined): Schema => (description === undefined ? {} : { description });

/** A string. */
export function string(tag: number, description?: string, more: Omit<Schema, 'tag'> = {}): Field {
  return { type: 'string', ...about(description), tag, ...more };
}

/** A 32-bit integer. */
export function int32(tag: number, description?: string): Field {
  return { type: 'integer', format: 'int32', ...about(description), tag };
}

/** A 64-bit integer. */
export function int64(tag: number, description?: string): Field {
  return { type: 'integer', format: 'int64', ...about(description), tag };
}

/** A boolean. */
export function boolean(tag: number, description?: string): Field {
  return { type: 'boolean', ...about(description), tag };
}

/** A timestamp in whole seconds, RFC 3339; null when unset. */
export function time(tag: number, description?: string): Field {
  return {
    type: 'string',
    format: 'date-time',
    typeName: 'apimachinery.pkg.apis.meta.v1.Time',
    ...about(description),
    tag,
    alwaysPrinted: true,
  };
}

/** A timestamp in microseconds, RFC 3339 with six fractional digits; null when unset. */
export function microTime(tag: number, description?: string): Field {
  return {
    type: 'string',
    format: 'date-time-micro',
    typeName: 'apimachinery.pkg.apis.meta.v1.MicroTime',
    ...about(description),
    tag,
    alwaysPrinted: true,
  };
}

/** Strings by key. */
export function stringMap(tag: number, description?: string): Field {
  return {
    type: 'object',
    additionalProperties: { type: 'string', default: '' },
    ...about(description),
    tag,
  };
}

/** Bytes by key, base64 in JSON. */
export function bytesMap(tag: number, description?: string): Field {
  return {
    type: 'object',
    additionalProperties: { type: 'string', format: 'byte' },
    ...about(description),
    tag,
  };
}

/** A list of strings. */
export function stringList(tag: number, description: string, topology: ListTopology): Field {
  return { type: 'array', items: { type: 'string', default: '' }, description, tag, ...topology };
}

/** A list of objects. */
export function list(tag: number, description: string, items: Schema, topology: ListTopology): Field {
  return { type: 'array', items, description, tag, ...topology };
}

/** An object of a named type. */
export function struct(tag: number, description: string, type: Schema): Field {
  return { ...type, description, tag };
}

/** The field with absence distinct from the zero value. */
export function optional(field: Field): Field {
  const { alwaysPrinted: _, ...rest } = field;
  return { ...rest, optional: true };
}

/** The field printed even when empty. */
export function printed(field: Field): Field {
  const isText = field.type === 'string' && !field.format && !field.optional;
  return { ...field, alwaysPrinted: true, ...(isText && { default: '' }) };
}

/** Keys and merge strategy of a list. */
export type ListTopology = Pick<Schema, 'listType' | 'listMapKeys' | 'patchStrategy' | 'patchMergeKey'>;

/** An atomic list. */
export const atomic: ListTopology = { listType: 'atomic' };

/** A set of strings. */
export const set: ListTopology = { listType: 'set', patchStrategy: 'merge' };

/** A list keyed by fields of its entries; strategic merge patches use the first key only. */
export function keyedBy(name: string, ...more: readonly string[]): ListTopology {
  return { listType: 'map', listMapKeys: [name, ...more], patchStrategy: 'merge', patchMergeKey: name };
}

/** A type of the published schemas: its name without the vendor's prefix, its fields in the order in which they are printed. */
export function type(
  typeName: string,
  fields: Readonly<Record<string, Field>>,
  more: Partial<Schema> = {},
): Schema {
  return { type: 'object', typeName, properties: fields, ...more };
}
