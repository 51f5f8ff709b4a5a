import {
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type Schema,
  type SchemaType,
  setMember,
} from '@ashlar/core';
import { refusal } from './zod-refusal.ts';

/** Converts the JSON schema of zod; `path` is the path of the value. */
export type ReadZodSchema = (json: JsonObject, path: string) => Schema;

/** Whether a type accepts null only. */
export const isNull = (json: JsonObject): boolean => json.nullable === true && jsonEqual(json.enum, [null]);

/** Returns the checks of a part of a combination; its type must be that of the combination. */
function checksOf(part: Schema, unionType: unknown, path: string): Schema {
  const { type, title: _, description: __, ...checks } = part;
  if (type !== unionType) throw refusal(path, `a part is of type ${String(type)}, the whole is not`);
  return checks;
}

/**
 * A union as a structural schema: one type outside, and the differences between the alternatives as checks.
 * Null makes it nullable, integer with string int-or-string.
 */
export function unionSchema(
  keyword: 'anyOf' | 'oneOf',
  parts: readonly JsonObject[],
  path: string,
  read: ReadZodSchema,
): Schema {
  const alternatives = parts.filter((part) => !isNull(part));
  const nullable = alternatives.length < parts.length ? { nullable: true } : {};
  const types = [...new Set(alternatives.map((part) => part.type))];
  if (alternatives.length === 1) return { ...read(alternatives[0] as JsonObject, path), ...nullable };
  const schemas = alternatives.map((part) => read(part, path));
  if (types.length === 1 && types[0] === 'object')
    return { ...objectUnion(keyword, schemas, path), ...nullable };
  if (types.length === 1 && typeof types[0] === 'string' && types[0] !== 'array') {
    const checks = schemas.map((schema) => checksOf(schema, types[0], path));
    return { type: types[0] as SchemaType, [keyword]: checks, ...nullable };
  }
  const integer = schemas.find((schema) => schema.type === 'integer');
  const string = schemas.find((schema) => schema.type === 'string');
  if (schemas.length === 2 && integer && string)
    return { ...intOrString(integer, string, path), ...nullable };
  const names = types.map((type) => String(type ?? 'anything')).join(', ');
  throw refusal(path, `a union of ${names} cannot be expressed`);
}

/** Checks of numbers accept strings and the other way round, so that both can be combined. */
function intOrString(integer: Schema, string: Schema, path: string): Schema {
  const { type: _, enum: numbers, ...ofIntegers } = integer;
  const { type: __, enum: texts, ...ofStrings } = string;
  if (numbers || texts) throw refusal(path, 'a union of integers and strings cannot enumerate its values');
  return { ...ofIntegers, ...ofStrings, intOrString: true };
}

/** Objects: outside all members of any alternative, inside the requirements of each. */
function objectUnion(keyword: 'anyOf' | 'oneOf', schemas: readonly Schema[], path: string): Schema {
  if (schemas.some((schema) => schema.additionalProperties !== undefined)) {
    throw refusal(path, 'a union of records cannot be expressed');
  }
  const properties: Record<string, Schema> = {};
  for (const name of new Set(schemas.flatMap((schema) => Object.keys(schema.properties ?? {})))) {
    const own = schemas.flatMap((schema) => propertyOf(schema, name) ?? []);
    const common = commonSchema(own, path === '' ? name : `${path}.${name}`);
    setMember(properties, name, own.length < schemas.length ? withoutChecks(common) : common);
  }
  return {
    type: 'object',
    properties,
    ...(schemas.some((schema) => schema.preserveUnknownFields) && { preserveUnknownFields: true }),
    [keyword]: schemas.map((schema) => alternative(schema, properties)),
  };
}

const propertyOf = (schema: Schema, name: string): Schema | undefined =>
  schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;

/** The schema of an outer member: its own if all alternatives agree, else what they have in common. */
function commonSchema(own: readonly Schema[], path: string): Schema {
  const [first = {}, ...others] = own;
  if (others.every((other) => isSame(first, other))) return first;
  const { type } = first;
  if (!type || type === 'object' || type === 'array' || others.some((other) => other.type !== type)) {
    throw refusal(path, 'the alternatives of a union disagree about it');
  }
  const values = own.flatMap((schema) => schema.enum ?? []);
  return own.every((schema) => schema.enum) ? { type, enum: [...new Set(values)] } : { type };
}

/** A scalar that only some alternatives have: the others do not restrict its value. */
function withoutChecks(schema: Schema): Schema {
  if (schema.type === 'object' || schema.type === 'array') return schema;
  const { type, intOrString, preserveUnknownFields, nullable, title, description } = schema;
  return {
    ...(type && { type }),
    ...(intOrString && { intOrString }),
    ...(preserveUnknownFields && { preserveUnknownFields }),
    ...(nullable && { nullable }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(schema.default !== undefined && { default: schema.default }),
  };
}

/** Requirements of an alternative beyond those of the outer schema. */
function alternative(schema: Schema, outside: Readonly<Record<string, Schema>>): Schema {
  const properties: Record<string, Schema> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (isSame(property, outside[name] as Schema)) continue;
    const { type: _, title: __, description: ___, default: ____, nullable: _____, ...checks } = property;
    setMember(properties, name, checks);
  }
  const { required = [] } = schema;
  return {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

const isSame = (a: Schema, b: Schema): boolean =>
  jsonEqual(a as unknown as JsonValue, b as unknown as JsonValue);
