import { type JsonValue, objectMetaSchema, type Schema } from '@ashlar/core';
import type { PathElement } from '../fieldpath/path-element.ts';

/** Types of a scalar. */
export type ScalarKind = 'numeric' | 'string' | 'boolean' | 'untyped';

/** A list: atomic, or owned item by item. */
export interface ListType {
  readonly isAtomic: boolean;
  /** The fields that identify items; none for sets of scalars. */
  readonly keys: readonly string[];
  readonly items: FieldType;
}

/** An object: atomic, or owned field by field. */
export interface MapType {
  readonly isAtomic: boolean;
  readonly fields: ReadonlyMap<string, FieldType>;
  /** Defaults of fields that are keys of list items. */
  readonly defaults: ReadonlyMap<string, JsonValue>;
  /** Type of undeclared keys; absent if there are none. */
  readonly values: FieldType | undefined;
}

/**
 * How values of a schema are owned (semantics/apply#types). A type without a declared shape has several of
 * the three, and the value decides.
 */
export interface FieldType {
  readonly scalar: ScalarKind | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
  /** Whether the type is unknown: such types do not change between granular and atomic. */
  readonly isDeduced: boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function untypedAtomic(): FieldType {
  const type: Mutable<FieldType> = { scalar: 'untyped', list: undefined, map: undefined, isDeduced: false };
  type.list = { isAtomic: true, keys: [], items: type };
  type.map = { isAtomic: true, fields: new Map(), defaults: new Map(), values: type };
  return type;
}

const UNTYPED: FieldType = untypedAtomic();

function deducedType(): FieldType {
  const type: Mutable<FieldType> = { scalar: 'untyped', list: undefined, map: undefined, isDeduced: true };
  type.list = { isAtomic: true, keys: [], items: UNTYPED };
  type.map = { isAtomic: false, fields: new Map(), defaults: new Map(), values: type };
  return type;
}

/** Type of values without a schema: objects field by field, lists atomic, scalars of any kind. */
export const DEDUCED: FieldType = deducedType();

/**
 * Compiles a schema to its field type (semantics/apply#types): by list and map types, by merge strategies if
 * a list has no type; by default objects are granular and lists atomic.
 *
 * @example
 * const type = compileFieldType({ type: 'array', listType: 'map', listMapKeys: ['name'], items: { type:
 * 'object' } });
 * type.list?.keys; // ['name']
 */
export function compileFieldType(schema: Schema): FieldType {
  return new FieldTypeCompiler().compile(schema, false);
}

/**
 * Compiles the schema of a kind: that of its root, with the `apiVersion`, `kind` and `metadata` of every
 * object.
 *
 * @example
 * const type = compileKindFieldType({ type: 'object', properties: { spec: { type: 'object' } } });
 * type.map?.fields.has('metadata'); // true
 */
export function compileKindFieldType(schema: Schema): FieldType {
  return compileFieldType({ ...schema, embeddedResource: true });
}

const OBJECT_FIELDS: Readonly<Record<string, Schema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: objectMetaSchema,
};

/** The type of a schema, compiled when its shapes are first asked for: most of a wide schema is not in an object. */
class LazyFieldType implements FieldType {
  readonly isDeduced = false;
  readonly #compile: () => Shapes;
  #shapes: Shapes | undefined;

  constructor(compile: () => Shapes) {
    this.#compile = compile;
  }

  get scalar(): ScalarKind | undefined {
    return this.#known().scalar;
  }

  get list(): ListType | undefined {
    return this.#known().list;
  }

  get map(): MapType | undefined {
    return this.#known().map;
  }

  #known(): Shapes {
    this.#shapes ??= this.#compile();
    return this.#shapes;
  }
}

type Shapes = Partial<Pick<FieldType, 'scalar' | 'list' | 'map'>>;

class FieldTypeCompiler {
  /**
   * Schemas may be recursive; each is compiled once with and once without unknown fields preserved from
   * above.
   */
  readonly #typesBySchema: readonly [Map<Schema, FieldType>, Map<Schema, FieldType>] = [new Map(), new Map()];

  compile(schema: Schema, keepsUnknown: boolean): FieldType {
    const keeps = keepsUnknown || schema.preserveUnknownFields === true;
    const cache = this.#typesBySchema[keeps ? 1 : 0];
    const cached = cache.get(schema);
    if (cached) return cached;
    const type = new LazyFieldType(() => this.#shapes(schema, keeps));
    cache.set(schema, type);
    return type;
  }

  #shapes(schema: Schema, keeps: boolean): Shapes {
    if (schema.format === 'raw-extension' || schema.typeName?.endsWith('.runtime.RawExtension'))
      return UNTYPED;
    if (schema.format === 'quantity' || schema.typeName?.endsWith('.resource.Quantity'))
      return { scalar: 'untyped' };
    switch (schema.type) {
      case 'object':
        return { map: this.#map(schema, keeps) };
      case 'array':
        return { list: this.#list(schema, keeps) };
      case 'string':
        return { scalar: isPlainText(schema) ? 'string' : 'untyped' };
      case 'boolean':
        return { scalar: 'boolean' };
      case 'integer':
      case 'number':
        return { scalar: 'numeric' };
      default:
        return { scalar: 'untyped', list: this.#list(schema, keeps), map: this.#map(schema, keeps) };
    }
  }

  #map(schema: Schema, keeps: boolean): MapType {
    const fields = new Map<string, FieldType>();
    const defaults = new Map<string, JsonValue>();
    const ofObject: typeof OBJECT_FIELDS = schema.embeddedResource ? OBJECT_FIELDS : {};
    const add = (name: string, field: Schema, isKept: boolean): void => {
      fields.set(name, this.compile(field, isKept));
      const standard = field.default ?? zeroOf(field);
      if (standard !== undefined) defaults.set(name, standard);
    };
    const { properties = {} } = schema;
    for (const name in properties)
      if (!Object.hasOwn(ofObject, name)) add(name, properties[name] as Schema, keeps);
    // the metadata of an object have the fields of their type, whatever is preserved around them
    for (const name in ofObject) add(name, ofObject[name] as Schema, false);
    const values = this.#values(schema, keeps);
    return { isAtomic: schema.mapType === 'atomic', fields, defaults, values };
  }

  #values(schema: Schema, keeps: boolean): FieldType | undefined {
    const { additionalProperties, properties, embeddedResource } = schema;
    if (typeof additionalProperties === 'object') return this.compile(additionalProperties, keeps);
    if (additionalProperties !== undefined) return additionalProperties ? DEDUCED : undefined;
    const isOpen = !embeddedResource && Object.keys(properties ?? {}).length === 0;
    return keeps || isOpen ? DEDUCED : undefined;
  }

  #list(schema: Schema, keeps: boolean): ListType {
    const items = schema.items ? this.compile(schema.items, keeps) : UNTYPED;
    return { ...listOwnership(schema), items };
  }
}

/** Strings with a format are compared, but not validated here. */
const isPlainText = ({ format, intOrString }: Schema): boolean =>
  !intOrString && (format === undefined || format === '' || format === 'byte');

function listOwnership(schema: Schema): { isAtomic: boolean; keys: readonly string[] } {
  const { listType, listMapKeys, patchStrategy, patchMergeKey } = schema;
  if (listType === 'map') return { isAtomic: false, keys: listMapKeys ?? [] };
  if (listType !== undefined) return { isAtomic: listType === 'atomic', keys: [] };
  const merges = patchStrategy?.split(',').includes('merge') ?? false;
  return { isAtomic: !merges, keys: merges && patchMergeKey ? [patchMergeKey] : [] };
}

/** The shape of a type for a value: the one that fits it, else the first that the type has. */
export type Shape =
  | { readonly kind: 'map'; readonly map: MapType }
  | { readonly kind: 'scalar'; readonly scalar: ScalarKind }
  | { readonly kind: 'list'; readonly list: ListType };

/** Chooses the shape for a value; absent and null ones fit every shape. */
export function shapeFor(type: FieldType, value: JsonValue | undefined): Shape {
  const fitting = fittingShape(type, value);
  if (fitting) return fitting;
  if (type.map) return { kind: 'map', map: type.map };
  if (type.scalar) return { kind: 'scalar', scalar: type.scalar };
  if (type.list) return { kind: 'list', list: type.list };
  throw new TypeError('a field type without any shape');
}

function fittingShape(type: FieldType, value: JsonValue | undefined): Shape | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return type.scalar && { kind: 'scalar', scalar: type.scalar };
  if (Array.isArray(value)) return type.list && { kind: 'list', list: type.list };
  return type.map && { kind: 'map', map: type.map };
}

/** The type of a member of an object. */
export function memberType(map: MapType, name: string): FieldType | undefined {
  return map.fields.get(name) ?? map.values;
}

/** The shape of a type without a value: a map if it can be one, else a list. */
export type Parts = MapType | ListType;

/** Undefined for scalars, and for unknown types: those are never atomic. */
export function partsOf({ map, list, scalar }: FieldType): Parts | undefined {
  if (map) return map.values?.isDeduced && map.fields.size === 0 ? undefined : map;
  return scalar === undefined ? list : undefined;
}

/** The type of the value at a path element. */
export function typeOfPart(parts: Parts, element: PathElement): FieldType | undefined {
  if ('items' in parts) return parts.items;
  return element.kind === 'field' ? memberType(parts, element.name) : parts.values;
}

/** A number that is always printed is 0 where it is left out. */
function zeroOf({ type, alwaysPrinted }: Schema): JsonValue | undefined {
  return alwaysPrinted && (type === 'integer' || type === 'number') ? 0 : undefined;
}
