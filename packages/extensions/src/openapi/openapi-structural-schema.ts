import { isJsonObject, type JsonObject, type JsonValue, setMember, type Vocabulary } from '@ashlar/core';
import { componentOf, objectOf } from './openapi-kinds.ts';

/** Position of a schema, and how to parse it. */
export interface StructuralReading {
  /** The document in which references are resolved. */
  readonly document: JsonObject;
  readonly vocabulary: Vocabulary;
  /**
   * Whether the kind is built into its server. Such kinds publish the zero value of every field that is not a
   * pointer as its default, which is ignored, and types without a schema, which accept any value.
   */
  readonly isBuiltIn: boolean;
}

/**
 * Converts the schema of a kind to a structural one with resolved references
 * (semantics/schemas#structural-rules): parts without a type, and recursive ones, preserve any value.
 */
export function structuralSchema(root: JsonObject, reading: StructuralReading): JsonObject {
  const reader = new StructuralReader(reading);
  const { metadata: _, ...properties } = objectOf(root.properties);
  return { ...reader.schema({ ...root, properties }, []), type: 'object' };
}

/** Keywords of a schema that are copied unchanged. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'default', 'enum', 'required'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
]);
const EXTENSIONS = [
  ...['preserve-unknown-fields', 'embedded-resource', 'int-or-string'],
  ...['list-type', 'list-map-keys', 'map-type', 'validations'],
];
const COMBINATIONS = ['allOf', 'anyOf', 'oneOf', 'not'];

class StructuralReader {
  readonly #reading: StructuralReading;
  readonly #converted: Map<string, JsonObject> = new Map();
  #cycles = 0;
  readonly #extensions: ReadonlySet<string>;

  constructor(reading: StructuralReading) {
    this.#reading = reading;
    this.#extensions = new Set(EXTENSIONS.map((name) => this.#extension(name)));
  }

  /** @param within the references on the path to here */
  schema(schema: JsonObject, within: readonly string[]): JsonObject {
    const reference = referenceOf(schema);
    if (reference !== undefined) return this.#referred(reference, schema, within);
    if (this.#reading.isBuiltIn && schema.type === undefined) return this.#untyped(schema);
    const copied = Object.entries(schema).filter(
      ([keyword]) => PLAIN.has(keyword) || this.#extensions.has(keyword),
    );
    const read: Record<string, JsonValue> = Object.fromEntries(copied as [string, JsonValue][]);
    if (this.#reading.isBuiltIn && isZero(read.default)) delete read.default;
    for (const keyword of COMBINATIONS) {
      const value = schema[keyword];
      if (value !== undefined) read[keyword] = value;
    }
    return this.#withParts(read, schema, within);
  }

  #untyped(schema: JsonObject): JsonObject {
    const isIntOrString = schema.format === 'int-or-string';
    const kind = isIntOrString ? { [this.#extension('int-or-string')]: true } : this.#keepingAll();
    return { ...described(schema), ...kind };
  }

  #withParts(read: Record<string, JsonValue>, schema: JsonObject, within: readonly string[]): JsonObject {
    const { items, additionalProperties } = schema;
    const properties = this.#ownProperties(read, schema);
    if (isJsonObject(properties as JsonValue))
      read.properties = this.#properties(objectOf(properties), within);
    if (items !== undefined) read.items = this.schema(objectOf(items), within);
    if (additionalProperties === true || isJsonObject(additionalProperties as JsonValue))
      read.additionalProperties =
        additionalProperties === true ? true : this.schema(objectOf(additionalProperties), within);
    const hasShape = read.properties !== undefined || read.additionalProperties !== undefined;
    const holdsAnything = this.#reading.isBuiltIn && read.type === 'object' && !hasShape;
    return holdsAnything ? { ...read, ...this.#keepingAll() } : read;
  }

  /** Embedded resources have an implicit kind and metadata. */
  #ownProperties(
    read: Record<string, JsonValue>,
    { properties, required }: JsonObject,
  ): JsonValue | undefined {
    if (read[this.#extension('embedded-resource')] !== true) return properties;
    const names = ['apiVersion', 'kind'];
    if (Array.isArray(required)) read.required = required.filter((name) => !names.includes(name));
    const { apiVersion: _, kind: __, metadata: ___, ...own } = objectOf(properties);
    return Object.keys(own).length > 0 ? own : undefined;
  }

  #properties(properties: JsonObject, within: readonly string[]): JsonObject {
    const read: Record<string, JsonValue> = {};
    for (const [name, part] of Object.entries(properties))
      setMember(read, name, this.schema(objectOf(part), within));
    return read;
  }

  /** Merges a referenced schema with the keywords of the field. */
  #referred(reference: string, field: JsonObject, within: readonly string[]): JsonObject {
    const { [this.#extension('map-type')]: mapType } = field;
    const own: JsonObject = {
      ...described(field),
      ...(field.default !== undefined && !isZero(field.default) && { default: field.default }),
      ...(mapType !== undefined && { [this.#extension('map-type')]: mapType }),
    };
    if (within.includes(reference)) {
      this.#cycles++;
      return { type: 'object', ...own, ...this.#keepingAll() };
    }
    return { ...this.#component(reference, within), ...own };
  }

  /**
   * A referenced schema is parsed once; a recursive one is parsed for each path to it, since it is cut at
   * different depths.
   */
  #component(reference: string, within: readonly string[]): JsonObject {
    const cached = this.#converted.get(reference);
    if (cached) return cached;
    const component = componentOf(this.#reading.document, reference);
    const cycles = this.#cycles;
    const read = component ? this.schema(component, [...within, reference]) : this.#keepingAll();
    if (this.#cycles === cycles) this.#converted.set(reference, read);
    return read;
  }

  #keepingAll(): JsonObject {
    return { [this.#extension('preserve-unknown-fields')]: true };
  }

  #extension(name: string): string {
    return this.#reading.vocabulary.extensionPrefix + name;
  }
}

function described({ description }: JsonObject): JsonObject {
  return typeof description === 'string' && description !== '' ? { description } : {};
}

function referenceOf({ $ref, allOf }: JsonObject): string | undefined {
  if (typeof $ref === 'string') return $ref;
  if (!Array.isArray(allOf) || allOf.length !== 1) return undefined;
  const { $ref: only } = objectOf(allOf[0]);
  return typeof only === 'string' ? only : undefined;
}

function isZero(value: JsonValue | undefined): boolean {
  if (value === '' || value === 0 || value === false) return true;
  return value !== undefined && isJsonObject(value) && Object.keys(value).length === 0;
}
