import {
  DATE_LAYOUT,
  decodeBase64,
  excerpt,
  goTypeName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  LOCAL_TIME_LAYOUT,
  ParseError,
  parseWordedDuration,
  type Schema,
} from '@ashlar/core';
import { work } from '../cost/work.ts';
import { escapeProperty, unescapeProperty } from '../syntax/property-names.ts';
import { listsEqual, valuesEqual } from '../values/equality.ts';
import { type MapKey, MapValue } from '../values/maps.ts';
import { durationOf, parseAnyTimestamp, parseDuration, readTimestamp } from '../values/time.ts';
import { ValueSet } from '../values/value-set.ts';
import {
  EvaluationError,
  ListValue,
  ObjectValue,
  Opaque,
  Timestamp,
  toDouble,
  type Value,
} from '../values/values.ts';
import { withTypeAndName } from './schema-type.ts';
import { type CelType, types } from './types.ts';

const invalid = (text: string): EvaluationError => new EvaluationError(`invalid data, ${text}`);

/**
 * JSON data as expressions see it through its schema: nothing is copied, and nested values are converted when
 * read.
 */
export function schemaValue(data: JsonValue | undefined, schema: Schema): Value {
  if (data === null || data === undefined) {
    return schema.nullable ? null : invalid('got null for schema with nullable=false');
  }
  if (schema.intOrString) {
    if (typeof data === 'string' || isWhole(data)) return data;
    return invalid('expected XIntOrString value to be either a string or integer');
  }
  switch (schema.type) {
    case 'object':
      return isJsonObject(data)
        ? objectOrMap(data, schema)
        : invalid('expected a map for the provided schema with type=object');
    case 'array':
      return Array.isArray(data)
        ? list(data, schema)
        : invalid('expected an array for the provided schema with type=array');
    case 'string':
      return typeof data === 'string'
        ? text(data, schema)
        : invalid(`expected string, got ${goTypeName(data)}`);
    case 'number':
      return typeof data === 'number' || typeof data === 'bigint'
        ? toDouble(Number(data))
        : invalid(`expected float, got ${goTypeName(data)}`);
    case 'integer':
      return isWhole(data) ? data : invalid(`expected int, got ${goTypeName(data)}`);
    case 'boolean':
      return typeof data === 'boolean' ? data : invalid(`expected bool, got ${goTypeName(data)}`);
  }
  return schema.preserveUnknownFields ? new PreservedValue(data) : invalid('the schema names no type');
}

const isWhole = (data: JsonValue): data is number | bigint =>
  typeof data === 'bigint' || Number.isSafeInteger(data);

function objectOrMap(data: JsonObject, schema: Schema): Value {
  if (schema.embeddedResource) return new SchemaObject(data, withTypeAndName(schema));
  if (schema.properties || typeof schema.additionalProperties !== 'object')
    return new SchemaObject(data, schema);
  return new SchemaMap(data, schema.additionalProperties);
}

function list(data: readonly JsonValue[], schema: Schema): Value {
  if (!schema.items) return invalid('expected items with a schema');
  switch (schema.listType) {
    case 'map':
      return new KeyedList(data, schema.items, schema.listMapKeys ?? []);
    case 'set':
      return new SetList(data, schema.items);
    default:
      return new SchemaList(data, schema.items);
  }
}

function text(data: string, schema: Schema): Value {
  switch (schema.format) {
    case 'duration':
      return parsed('duration', data, durationFromText);
    case 'date':
      return parsed('date formatted string', data, (text) => readTimestamp(text, DATE_LAYOUT));
    case 'date-time':
    case 'datetime':
      return parsed('date-time formatted string', data, timestampFromText);
    case 'byte':
      return parsed('byte formatted string', data, bytesFromText);
    default:
      return data;
  }
}

/** Steps per character of a text that has a format. */
const FORMAT_STEPS = 20;

function parsed(what: string, data: string, parse: (text: string) => Value): Value {
  work(data.length * FORMAT_STEPS);
  try {
    return parse(data);
  } catch (error) {
    if (!ParseError.is(error)) throw error;
    return new EvaluationError(`Invalid ${what} ${excerpt(data)}: ${error.message}`);
  }
}

const durationFromText = (text: string): Value =>
  parseDuration(text) ?? durationOf(parseWordedDuration(text));

/** With a zone or, as it is tried last, without one. The empty text is the epoch. */
function timestampFromText(text: string): Value {
  if (text === '') return new Timestamp(0, 0);
  return parseAnyTimestamp(text) ?? readTimestamp(text, LOCAL_TIME_LAYOUT);
}

/**
 * In the alphabet of URLs with padding (RFC 4648 section 5), as release 1.32 reads them in expressions; the format itself has the
 * alphabet of section 4, so that texts with `+` and `/` are valid and cannot be read.
 */
function bytesFromText(text: string): Uint8Array {
  const foreign = text.search(/[+/]/);
  if (foreign >= 0) throw new ParseError(`illegal base64 data at input byte ${foreign}`);
  return decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** A value of unknown type: it can only be compared. */
class PreservedValue extends Opaque {
  readonly #data: JsonValue;
  constructor(data: JsonValue) {
    super();
    this.#data = data;
  }
  get type(): CelType {
    return types.dyn;
  }
  equals(other: Opaque): boolean {
    return other instanceof PreservedValue && jsonEqual(this.#data, other.#data);
  }
}

function countedKeys(data: JsonObject): string[] {
  const keys = Object.keys(data);
  work(keys.length * STEPS_PER_ELEMENT);
  return keys;
}

/** An object by its schema. */
class SchemaObject extends ObjectValue {
  readonly data: JsonObject;
  readonly #schema: Schema;
  #converted: Map<string, Value> | undefined;
  constructor(data: JsonObject, schema: Schema) {
    super();
    this.data = data;
    this.#schema = schema;
  }
  /** At run time all objects of rules are maps; only the checker tells them apart. */
  get type(): CelType {
    return types.map();
  }
  get(field: string): Value | undefined {
    const { properties = {} } = this.#schema;
    const name = Object.hasOwn(properties, field) && !field.includes('__') ? field : unescapeProperty(field);
    if (name === undefined || !Object.hasOwn(this.data, name) || !Object.hasOwn(properties, name))
      return undefined;
    const value = this.data[name];
    // A null field counts as unset.
    if (value === null || value === undefined) return undefined;
    return this.#cached(name, value, properties[name] as Schema);
  }
  /** Returns the converted value of a field. Lists and formatted texts are converted once. */
  #cached(name: string, value: JsonValue, schema: Schema): Value {
    if (!Array.isArray(value) && (typeof value !== 'string' || schema.format === undefined))
      return schemaValue(value, schema);
    const cached = this.#converted?.get(name);
    if (cached !== undefined) return cached;
    const converted = schemaValue(value, schema);
    this.#converted ??= new Map();
    this.#converted.set(name, converted);
    return converted;
  }
  /** Unknown fields count too. */
  override get size(): number {
    return countedKeys(this.data).length;
  }
  *fields(): Iterable<string> {
    for (const name of Object.keys(this.#schema.properties ?? {})) {
      const identifier = escapeProperty(name);
      if (identifier !== undefined && this.get(identifier) !== undefined) yield identifier;
    }
  }
  /** Fields of the schema are compared by it, all others as JSON. */
  override equals(other: ObjectValue): boolean | undefined {
    if (!(other instanceof SchemaObject)) return undefined;
    const names = countedKeys(this.data);
    if (names.length !== countedKeys(other.data).length) return false;
    return names.every((name) => Object.hasOwn(other.data, name) && this.#fieldEquals(name, other));
  }
  #fieldEquals(name: string, other: SchemaObject): boolean {
    const { properties = {} } = this.#schema;
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema) return jsonEqual(this.data[name], other.data[name]);
    // what is null is not set, and equals nothing, in an object that is compared to itself as well
    if (other.data[name] === null) return false;
    return valuesEqual(schemaValue(this.data[name], schema), schemaValue(other.data[name], schema));
  }
}

/** A map by the schema of its values. */
class SchemaMap extends MapValue {
  readonly #data: JsonObject;
  readonly #values: Schema;
  constructor(data: JsonObject, values: Schema) {
    super();
    this.#data = data;
    this.#values = values;
  }
  get size(): number {
    return countedKeys(this.#data).length;
  }
  get(key: MapKey): Value | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#data, key)) return undefined;
    return schemaValue(this.#data[key], this.#values);
  }
  keys(): Iterable<Value> {
    return countedKeys(this.#data);
  }
}

/** Steps of visiting data through their schema, per element or field. */
const STEPS_PER_ELEMENT = 10;

/** A list by the schema of its elements, which are converted together on first access. */
class SchemaList extends ListValue {
  readonly #data: readonly JsonValue[];
  readonly #schema: Schema;
  #items: readonly Value[] | undefined;
  constructor(data: readonly JsonValue[], schema: Schema, items?: readonly Value[]) {
    super();
    this.#data = data;
    this.#schema = schema;
    this.#items = items;
  }
  get items(): readonly Value[] {
    if (this.#items === undefined) {
      work(this.#data.length * STEPS_PER_ELEMENT);
      this.#items = this.#data.map((element) => schemaValue(element, this.#schema));
    }
    return this.#items;
  }
  /** A list of the same kind with other elements. */
  protected get elementSchema(): Schema {
    return this.#schema;
  }
}

/** A list whose order does not matter. */
class SetList extends SchemaList {
  override equals(other: readonly Value[]): boolean {
    if (this.items.length !== other.length) return false;
    const own = new ValueSet(this.items);
    return other.every((value) => own.has(value));
  }
  /** The union: own elements keep their positions, new ones follow. */
  override concat(other: readonly Value[]): Value {
    const own = new ValueSet(this.items);
    const added = other.filter((value) => !own.has(value));
    return new SetList([], this.elementSchema, [...this.items, ...added]);
  }
}

/** A list whose elements are identified by keys. */
class KeyedList extends SchemaList {
  readonly #keys: readonly string[];
  constructor(data: readonly JsonValue[], schema: Schema, keys: readonly string[], items?: readonly Value[]) {
    super(data, schema, items);
    this.#keys = keys;
  }
  #keyOf(value: Value): string {
    const data =
      value instanceof SchemaObject ? value.data : isJsonObject(value) ? (value as JsonObject) : {};
    return JSON.stringify(
      this.#keys.map((key) => (typeof data[key] === 'bigint' ? `${data[key]}n` : data[key])),
    );
  }
  override equals(other: readonly Value[]): boolean {
    if (this.items.length !== other.length) return false;
    const own = new Map(this.items.map((item) => [this.#keyOf(item), item]));
    return other.every((value) => {
      const mine = own.get(this.#keyOf(value));
      return mine !== undefined && listsEqual([mine], [value]);
    });
  }
  /** The merge: own elements keep their positions, values of the other win on equal keys, new keys follow. */
  override concat(other: readonly Value[]): Value {
    const merged = new Map(this.items.map((item) => [this.#keyOf(item), item]));
    for (const value of other) merged.set(this.#keyOf(value), value);
    return new KeyedList([], this.elementSchema, this.#keys, [...merged.values()]);
  }
}
