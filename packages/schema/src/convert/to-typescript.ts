import type { JsonValue, Schema } from '@ashlar/core';
import { checkedName, documentation, indented, propertyName } from './source-text.ts';

/** Options of writing types. */
export interface ToTypeScriptOptions {
  /** Name of the type: `Shelf`. */
  readonly name: string;
  /** The type of `metadata` at the root, if the schema says only that it is an object: `ObjectMeta`. */
  readonly metadataType?: string;
  /** The interface that the type extends, if it has members: `ApiObject`. */
  readonly baseType?: string;
}

/**
 * Prints the TypeScript declaration of a schema's values: required members, enumerations as unions, lists and
 * maps as readonly ones, descriptions as comments. Bounds, patterns and combinations are not part of types.
 * The text ends with a line end; it is that of a module that needs to import only what the options name.
 *
 * @throws TypeError for an invalid name of a type
 * @example
 * toTypeScript({ type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] }, { name:
 * 'Shelf' });
 * // export interface Shelf {
 * //   readonly size: number;
 * // }
 */
export function toTypeScript(schema: Schema, options: ToTypeScriptOptions): string {
  const name = checkedName(options.name);
  const comment = documentation(schema.description);
  const root = withMetadata(schema, options.metadataType === undefined ? ANY_METADATA : METADATA);
  const type = typeOf(root, new Map([[METADATA, options.metadataType ?? '']]));
  const base = options.baseType === undefined ? '' : ` extends ${options.baseType}`;
  const isInterface = type.startsWith('{') && isMembers(root) && !root.nullable;
  return isInterface
    ? `${comment}export interface ${name}${base} ${type}\n`
    : `${comment}export type ${name} = ${type};\n`;
}

/** Stands for metadata that are typed by name. */
const METADATA: Schema = { type: 'object' };

const ANY_METADATA: Schema = { type: 'object', preserveUnknownFields: true };

/** Metadata are complete although schemas say only that they are an object. */
function withMetadata(schema: Schema, objectMeta: Schema): Schema {
  const { properties } = schema;
  const metadata = properties?.metadata;
  if (!properties || !metadata || metadata.type !== 'object' || metadata.properties) return schema;
  return { ...schema, properties: { ...properties, metadata: objectMeta } };
}

/** Types with a name of their own. */
type NamedTypes = ReadonlyMap<Schema, string>;

function typeOf(schema: Schema, named: NamedTypes): string {
  const type = named.get(schema) || plainType(schema, named);
  return schema.nullable && type !== 'unknown' ? `${type} | null` : type;
}

function plainType(schema: Schema, named: NamedTypes): string {
  if (schema.enum?.length) return enumType(schema.enum);
  if (schema.intOrString) return 'number | string';
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return schema.items ? `ReadonlyArray<${typeOf(schema.items, named)}>` : 'readonly unknown[]';
    case 'object':
      return objectType(schema, named);
    default:
      return 'unknown';
  }
}

const enumType = (values: readonly JsonValue[]): string =>
  [...new Set(values.map((value) => (typeof value === 'bigint' ? `${value}` : JSON.stringify(value))))].join(
    ' | ',
  );

const isMembers = ({ type, additionalProperties }: Schema): boolean =>
  type === 'object' && typeof additionalProperties !== 'object';

function objectType(schema: Schema, named: NamedTypes): string {
  const { additionalProperties } = schema;
  if (typeof additionalProperties === 'object') {
    return `{ readonly [key: string]: ${indented(typeOf(additionalProperties, named))} }`;
  }
  const members = Object.entries(membersOf(schema)).map(
    ([name, part]) => `${documentation(part.description)}${member(name, part, schema, named)}`,
  );
  if (schema.preserveUnknownFields || additionalProperties === true)
    members.push('readonly [key: string]: unknown;');
  if (members.length === 0) return '{ readonly [key: string]: never }';
  return `{\n  ${members.map(indented).join('\n  ')}\n}`;
}

const member = (name: string, part: Schema, { required = [] }: Schema, named: NamedTypes): string =>
  `readonly ${propertyName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(part, named)};`;

/** The fields of every resource need not be spelled out in embedded ones. */
function membersOf({ embeddedResource, properties = {} }: Schema): Readonly<Record<string, Schema>> {
  if (!embeddedResource) return properties;
  return { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: ANY_METADATA, ...properties };
}
