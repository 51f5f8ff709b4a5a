import type { JsonValue, Schema, SchemaUnion } from '@ashlar/core';
import type { Field, ListTopology } from '../types/schema-fields.ts';

// Fields without a description: only name, Protobuf number and shape.

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

/** A quantity, `100m` or `2Gi`. */
export function quantity(tag: number): Field {
  return { ...quantityItem, tag };
}

/** Quantities by resource name. */
export function quantities(tag: number): Field {
  return mapOf(tag, quantityItem);
}

/** Timestamps by name. */
export function times(tag: number): Field {
  return mapOf(tag, timeItem);
}

/** An int-or-string, such as a percentage or the name of a port. */
export function intOrString(tag: number): Field {
  return { intOrString: true, typeName: 'apimachinery.pkg.util.intstr.IntOrString', tag };
}

/** A text of a type with a name, by which errors call it. */
export function textOf(tag: number, typeName: string): Field {
  return { type: 'string', typeName, tag };
}

/** A list of such texts. */
export function textsOf(tag: number, typeName: string, topology: ListTopology): Field {
  return listOf(tag, { type: 'string', typeName, default: '' }, topology);
}

/** Bytes, base64 in JSON. */
export function bytes(tag: number): Field {
  return { type: 'string', format: 'byte', tag };
}

/** Any JSON object. */
export function rawExtension(tag: number): Field {
  return { type: 'object', format: 'raw-extension', typeName: 'apimachinery.pkg.runtime.RawExtension', tag };
}

/** An object of a named type. */
export function part(tag: number, type: Schema): Field {
  return { ...type, tag };
}

/** A list of strings. */
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

/** A named list of strings, which is a message in Protobuf. */
export function namedTexts(typeName: string): Schema {
  return { type: 'array', typeName, items: { type: 'string', default: '' } };
}

/** A set; strategic merge patches replace the list. */
export const ownedSet: ListTopology = { listType: 'set' };

/** A list map; strategic merge patches replace the list. */
export function ownedBy(...names: readonly string[]): ListTopology {
  return { listType: 'map', listMapKeys: names };
}

/** Atomic, but merged by strategic merge patches. */
export function mergedBy(name: string): ListTopology {
  return { listType: 'atomic', patchStrategy: 'merge', patchMergeKey: name };
}

/** The fields of a type that JSON inlines, in a message of their own in Protobuf. */
export function embedded(tag: number, { properties = {} }: Schema): Readonly<Record<string, Field>> {
  const entries = Object.entries(properties).map(([name, field]): [string, Field] => {
    if (field.tag === undefined) throw new TypeError(`${name} has no Protobuf field number`);
    return [name, { ...field, tag: [tag, field.tag].flat() }];
  });
  return Object.fromEntries(entries);
}

/** The field with a default that only the server knows: Kubernetes publishes few of its defaults. */
export function withDefault(field: Field, value: JsonValue): Field {
  return { ...field, default: value, hiddenDefault: true };
}

/** The field with a default that published schemas show, too. */
export function withPublishedDefault(field: Field, value: JsonValue): Field {
  return { ...field, default: value };
}

/** The field with its values as published schemas list them. What is refused, and how, is decided by the validation of its kind. */
export function among(field: Field, values: readonly string[]): Field {
  return { ...field, enum: values };
}

/** The list with the values of its items. */
export function ofItemsAmong(field: Field, values: readonly string[]): Field {
  return { ...field, items: { ...field.items, enum: values } };
}

/** The map with its values. */
export function ofValuesAmong(field: Field, values: readonly string[]): Field {
  const { additionalProperties } = field;
  const schema = typeof additionalProperties === 'object' ? additionalProperties : {};
  return { ...field, additionalProperties: { ...schema, enum: values } };
}

/** Fields of which the one that a discriminator names is set. @param values the discriminator's value for each */
export function unionBy(discriminator: string, values: Readonly<Record<string, string>>): SchemaUnion {
  return { discriminator, 'fields-to-discriminateBy': values };
}
