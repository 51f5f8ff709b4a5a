import { type Schema, utf8Length } from '@ashlar/core';
import type { Range, SizeHints } from '../cost/estimate-model.ts';
import { escapeProperty, isKeyword } from '../syntax/property-names.ts';
import type { ObjectType } from './declaration-scope.ts';
import { type CelType, types } from './types.ts';

/** Maximum size of a request in bytes; sizes without a limit in the schema follow from it (H7). */
const REQUEST_BYTES = 3 * 1024 * 1024;
/** A text that is all of a request but its quotes. */
const LARGEST_TEXT = REQUEST_BYTES - 2;
/** Minimum size of values as JSON, in bytes. */
const LEAST = { text: 2, bool: 4, number: 1, duration: 3, date: 12, moment: 21, intOrText: 1, container: 2 };
/** Maximum code points of a duration or timestamp. */
const MAXIMUM_TIME_LENGTH = 32;
const MAXIMUM_DATE_LENGTH = 12;

/** A schema as expressions see it. */
export interface SchemaType {
  readonly type: CelType;
  readonly schema: Schema;
  /** Maximum elements, entries, code points or bytes. */
  readonly maxSize: number;
  /** Minimum size of a value as JSON, in bytes. */
  readonly minBytes: number;
  /** Fields of an object by the identifiers that expressions use, with their names. */
  readonly fields?: ReadonlyMap<string, SchemaField>;
  /** Elements of a list or values of a map. */
  readonly element?: SchemaType;
}

/** A field of an object. */
export interface SchemaField {
  readonly name: string;
  readonly type: SchemaType;
}

/** How a schema is converted to a type. */
export interface SchemaTypeOptions {
  /** Name of the type; types within are named after it. */
  readonly name?: string;
  /** Whether it is the root of a resource, which always has apiVersion, kind and a name. */
  readonly isResourceRoot?: boolean;
  /** Whether the format `int-or-string` makes a type of both, as in published schemas; not in those of definitions. */
  readonly formatsJoinTypes?: boolean;
  /** Whether a maximum length limits numbers or texts, as from release 1.34 on; true by default. */
  readonly limitsNumbersOrTexts?: boolean;
}

/**
 * The type of a schema in expressions (semantics/schemas#rules); undefined if expressions cannot see it, such
 * as preserved fields without a type.
 */
export function schemaType(schema: Schema, options: SchemaTypeOptions = {}): SchemaType | undefined {
  const { name = 'object', isResourceRoot = false } = options;
  const { formatsJoinTypes = false, limitsNumbersOrTexts = true } = options;
  const conversion = { entered: new Set<Schema>(), formatsJoinTypes, limitsNumbersOrTexts };
  return typeWithin(schema, name, isResourceRoot, conversion);
}

interface Conversion {
  /** Schemas that are being converted; a recursive one becomes an object without fields. */
  readonly entered: Set<Schema>;
  readonly formatsJoinTypes: boolean;
  readonly limitsNumbersOrTexts: boolean;
}

function typeWithin(
  schema: Schema,
  name: string,
  isResourceRoot: boolean,
  conversion: Conversion,
): SchemaType | undefined {
  if (isNumberOrText(schema, conversion)) {
    const limit = conversion.limitsNumbersOrTexts ? textLimit(schema) : LARGEST_TEXT;
    return scalar(schema, types.dyn, limit, LEAST.intOrText);
  }
  if (conversion.entered.has(schema)) return objectType({ type: 'object' }, name, conversion);
  switch (schema.type) {
    case 'array':
      return listType(schema, name, conversion);
    case 'object': {
      conversion.entered.add(schema);
      const type = objectOrMap(isResourceRoot ? withTypeAndName(schema) : schema, name, conversion);
      conversion.entered.delete(schema);
      return type;
    }
    case 'string':
      return textType(schema);
    case 'boolean':
      return scalar(schema, types.bool, 0, LEAST.bool);
    case 'number':
      return scalar(schema, types.double, 0, LEAST.number);
    case 'integer':
      return scalar(schema, types.int, 0, LEAST.number);
    default:
      return undefined;
  }
}

const isNumberOrText = ({ intOrString, format }: Schema, { formatsJoinTypes }: Conversion): boolean =>
  intOrString === true || (formatsJoinTypes && format === 'int-or-string');

const scalar = (schema: Schema, type: CelType, maxSize: number, minBytes: number): SchemaType => ({
  type,
  schema,
  maxSize,
  minBytes,
});

/** A code point takes up to four bytes. */
const textLimit = ({ maxLength }: Schema): number =>
  maxLength === undefined ? LARGEST_TEXT : Math.max(0, maxLength) * 4;

function textType(schema: Schema): SchemaType {
  const { maxLength, enum: values } = schema;
  switch (schema.format) {
    case 'byte':
      return scalar(
        schema,
        types.bytes,
        maxLength === undefined ? LARGEST_TEXT : Math.max(0, maxLength),
        LEAST.text,
      );
    case 'duration':
      return scalar(schema, types.duration, MAXIMUM_TIME_LENGTH, LEAST.duration);
    case 'date':
      return scalar(schema, types.timestamp, MAXIMUM_DATE_LENGTH, LEAST.date);
    case 'date-time':
    case 'datetime':
      return scalar(schema, types.timestamp, MAXIMUM_TIME_LENGTH, LEAST.moment);
  }
  if (maxLength !== undefined || !values || values.length === 0) {
    return scalar(schema, types.string, textLimit(schema), LEAST.text);
  }
  const lengths = values.map((value) => (typeof value === 'string' ? utf8Length(value) : 0));
  return scalar(schema, types.string, Math.max(...lengths), LEAST.text);
}

function listType(schema: Schema, name: string, conversion: Conversion): SchemaType | undefined {
  const { items, maxItems } = schema;
  const element = items && typeWithin(items, `${name}.@idx`, items.embeddedResource === true, conversion);
  if (!element) return undefined;
  const maxSize = maxItems === undefined ? fitting(element.minBytes + 1) : Math.max(0, maxItems);
  return { type: types.list(element.type), schema, maxSize, minBytes: LEAST.container, element };
}

/** Returns the maximum number of parts of a size that fit into a request. */
const fitting = (bytes: number): number => Math.floor((REQUEST_BYTES - 2) / bytes);

function objectOrMap(schema: Schema, name: string, conversion: Conversion): SchemaType | undefined {
  const values = schema.additionalProperties;
  return typeof values === 'object'
    ? mapType(schema, values, name, conversion)
    : objectType(schema, name, conversion);
}

function mapType(
  schema: Schema,
  values: Schema,
  name: string,
  conversion: Conversion,
): SchemaType | undefined {
  const element = typeWithin(values, `${name}.@elem`, values.embeddedResource === true, conversion);
  if (!element) return undefined;
  const { maxProperties } = schema;
  // In addition to the value: two bytes of key, quotes, colon and comma.
  const maxSize = maxProperties === undefined ? fitting(element.minBytes + 6) : Math.max(0, maxProperties);
  return { type: types.map(types.string, element.type), schema, maxSize, minBytes: LEAST.container, element };
}

function objectType(schema: Schema, name: string, conversion: Conversion): SchemaType {
  const fields = new Map<string, SchemaField>();
  const required = new Set(schema.required);
  let minBytes = LEAST.container;
  for (const [property, inner] of Object.entries(schema.properties ?? {})) {
    const identifier = escapeProperty(property);
    const type = typeWithin(
      inner,
      `${name}.${identifier ?? property}`,
      inner.embeddedResource === true,
      conversion,
    );
    if (!type) continue;
    if (identifier !== undefined) fields.set(identifier, { name: property, type });
    if (required.has(property) && inner.default === undefined)
      minBytes += utf8Length(property) + type.minBytes + 4;
  }
  return { type: types.object(name), schema, maxSize: 0, minBytes, fields };
}

const TEXT: Schema = { type: 'string' };
const META: Schema = { type: 'object', properties: { name: TEXT, generateName: TEXT } };

const completed = new WeakMap<Schema, Schema>();

/**
 * The schema with the fields of every resource: apiVersion, kind, metadata.name and metadata.generateName.
 * Cached per schema.
 */
export function withTypeAndName(schema: Schema): Schema {
  const cached = completed.get(schema) ?? complete(schema);
  completed.set(schema, cached);
  return cached;
}

function complete(schema: Schema): Schema {
  const { properties = {} } = schema;
  const meta = properties.metadata;
  const named = meta?.properties?.name?.type === 'string' && meta.properties.generateName?.type === 'string';
  const isComplete =
    properties.kind?.type === 'string' &&
    properties.apiVersion?.type === 'string' &&
    meta?.type === 'object' &&
    named;
  if (isComplete) return schema;
  return { ...schema, properties: { ...properties, kind: TEXT, apiVersion: TEXT, metadata: META } };
}

/** The object types within a schema type, for an environment. */
export function objectTypesOf(root: SchemaType): ObjectType[] {
  const found: ObjectType[] = [];
  const visit = (node: SchemaType): void => {
    if (node.element) visit(node.element);
    if (!node.fields) return;
    const { fields } = node;
    found.push({
      name: node.type.name,
      fieldType: (field) =>
        (fields.get(field) ?? (isKeyword(field) ? fields.get(`__${field}__`) : undefined))?.type.type,
    });
    for (const { type } of fields.values()) visit(type);
  };
  visit(root);
  return found;
}

/** Returns the maximum sizes of values below variables of a schema type. */
export function sizeHintsOf(root: SchemaType): SizeHints {
  return (path) => {
    if (path.length === 0) return undefined;
    let node: SchemaType | 'key' | undefined = root;
    for (const step of path.slice(1)) {
      if (node === 'key' || node === undefined) return undefined;
      node = stepInto(node, step);
    }
    if (node === undefined) return undefined;
    return atMost(node === 'key' ? KEY_SIZE : node.maxSize);
  };
}

/** Keys of maps count as empty, as in the reference server: they have no limit of their own. */
const KEY_SIZE = 0;

function stepInto(node: SchemaType, step: string): SchemaType | 'key' | undefined {
  if (step === '@items' || step === '@values') return node.element;
  if (step === '@keys') return node.type.kind === 'map' ? 'key' : undefined;
  return node.fields?.get(step)?.type;
}

const atMost = (size: number): Range => ({ min: 0n, max: BigInt(size) });

/** Returns the maximum occurrences of a value of the type in one request, for rules below lists and maps without a limit. */
export function maxOccurrences(type: SchemaType): number {
  return Math.floor(REQUEST_BYTES / (type.minBytes + 1));
}
