import type { JsonValue, Schema } from '@ashlar/core';
import type { Field, ListTopology } from '../types/schema-fields.ts';

// Fields that nobody describes: only what they are called, their Protobuf number and their shape.

const quantityItem: Schema = {
  type: 'string',
  format: 'quantity',
  typeName: 'apimachinery.pkg.api.resource.Quantity',
};

const timeItem: Schema = {
  type: 'string',
  format: 'date-time',
  typeName: 'apimachinery.pkg.apis.meta.v1.Time',
};

/** An amount of something, `100m` or `2Gi`. */
export function quantity(tag: number): Field {
  return { ...quantityItem, tag };
}

/** Amounts by the name of what they are amounts of. */
export function quantities(tag: number): Field {
  return mapOf(tag, quantityItem);
}

/** Moments by name. */
export function times(tag: number): Field {
  return mapOf(tag, timeItem);
}

/** A number, or a text such as a percentage or the name of a port. */
export function intOrString(tag: number): Field {
  return { intOrString: true, typeName: 'apimachinery.pkg.util.intstr.IntOrString', tag };
}

/** Bytes, base64 in JSON. */
export function bytes(tag: number): Field {
  return { type: 'string', format: 'byte', tag };
}

/** Any JSON object. */
export function rawExtension(tag: number): Field {
  return { type: 'object', format: 'raw-extension', typeName: 'apimachinery.pkg.runtime.RawExtension', tag };
}

/** An object of a type of its own. */
export function part(tag: number, type: Schema): Field {
  return { ...type, tag };
}

/** A list of texts. */
export function texts(tag: number, topology: ListTopology): Field {
  return listOf(tag, { type: 'string', default: '' }, topology);
}

/** A list. */
export function listOf(tag: number, items: Schema, topology: ListTopology): Field {
  return { type: 'array', items, tag, ...topology };
}

/** Values by key. */
export function mapOf(tag: number, values: Schema): Field {
  return { type: 'object', additionalProperties: values, tag };
}

/** A list of texts that is a type of its own, which Protobuf gives a message. */
export function namedTexts(typeName: string): Schema {
  return { type: 'array', typeName, items: { type: 'string', default: '' } };
}

/** Every value once; strategic merge patches replace the list. */
export const ownedSet: ListTopology = { listType: 'set' };

/** Entries told apart by some of their fields; strategic merge patches replace the list. */
export function ownedBy(...names: readonly string[]): ListTopology {
  return { listType: 'map', listMapKeys: names };
}

/** Owned as a whole, but merged by strategic merge patches. */
export function mergedBy(name: string): ListTopology {
  return { listType: 'atomic', patchStrategy: 'merge', patchMergeKey: name };
}

/** The fields of a type that JSON keeps among those of its owner, and Protobuf in a message of their own. */
export function embedded(tag: number, { properties = {} }: Schema): Readonly<Record<string, Field>> {
  const entries = Object.entries(properties).map(([name, field]): [string, Field] => {
    if (field.tag === undefined) throw new TypeError(`${name} has no Protobuf field number`);
    return [name, { ...field, tag: [tag, field.tag].flat() }];
  });
  return Object.fromEntries(entries);
}

/** The field with what it is when nobody says. */
export function withDefault(field: Field, value: JsonValue): Field {
  return { ...field, default: value };
}
