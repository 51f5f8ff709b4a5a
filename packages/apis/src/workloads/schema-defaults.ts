import {
  type ApiObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonSize,
  parseQuantity,
  runAtOnce,
  type Schema,
  type Steps,
  setMember,
} from '@ashlar/core';
import { Filling } from './filling.ts';

/** Returns an object with its defaults; the object itself if nothing is missing. */
export type DefaultRule = (value: JsonObject) => JsonObject;

/** Rules by the name of their type, for defaults that depend on other fields and so are not in the schema. */
export type DefaultRules = Readonly<Record<string, DefaultRule>>;

/** Sets the defaults of a kind. */
export interface CompiledDefaults {
  complete(object: ApiObject): ApiObject;
  /**
   * The same with pauses, for large objects.
   * @throws ObjectTooLargeError, also from `complete`, if the defaults alone are larger than an object may be
   */
  completeSteps(object: ApiObject): Steps<ApiObject>;
}

/**
 * Compiles the defaults of a kind, on first use: of each object first its type's rule, then the `default` of
 * each absent field, then nested objects. Quantities finer than a thousandth are rounded up. Objects keep
 * their fields in the schema's order.
 *
 * @example
 * const { complete } = compileDefaults(deploymentSchema);
 */
export function compileDefaults(schema: Schema, rules: DefaultRules = {}): CompiledDefaults {
  let filler: Filler | undefined;
  function* completeSteps(object: ApiObject): Steps<ApiObject> {
    filler ??= new Compiler(rules).ofStruct(schema) ?? same;
    const filling = new Filling();
    const filled = filler(object as unknown as JsonObject, filling);
    yield* filling.restSteps();
    return filled as unknown as ApiObject;
  }
  return { completeSteps, complete: (object) => runAtOnce(completeSteps(object)) };
}

type Filler = (value: JsonObject, filling: Filling) => JsonObject;

const same: DefaultRule = (value) => value;

class Compiler {
  readonly #rules: DefaultRules;
  /** Cached by the fields of a type, which all copies of its schema share. */
  readonly #known: Map<object, Filler | undefined> = new Map();

  constructor(rules: DefaultRules) {
    this.#rules = rules;
  }

  /** Undefined if there are no defaults below. */
  ofStruct({ typeName = '', properties = {} }: Schema): Filler | undefined {
    if (this.#known.has(properties)) return this.#known.get(properties);
    const fields = Object.entries(properties);
    const constants = fields.flatMap(([name, field]) => constantOf(name, field));
    const parts = fields.flatMap(([name, field]): Part[] => {
      const fill = this.#ofPart(field);
      return fill ? [{ name, fill }] : [];
    });
    const rule = Object.hasOwn(this.#rules, typeName) ? this.#rules[typeName] : undefined;
    const filler =
      rule || constants.length > 0 || parts.length > 0
        ? structFiller(Object.keys(properties), rule ?? same, constants, parts)
        : undefined;
    this.#known.set(properties, filler);
    return filler;
  }

  #ofPart(schema: Schema): PartFiller | undefined {
    if (schema.properties) return asObjectPart(this.ofStruct(schema));
    if (schema.items) return asListPart(this.ofStruct(schema.items));
    if (typeof schema.additionalProperties !== 'object') return undefined;
    if (schema.additionalProperties.format === 'quantity') return asMapPart(roundedUp);
    const values = this.ofStruct(schema.additionalProperties);
    return values && asMapPart((value, filling) => (isJsonObject(value) ? values(value, filling) : value));
  }
}

interface Constant {
  readonly name: string;
  readonly value: JsonValue;
  readonly optional: boolean;
  /** Its size in JSON, with its name. */
  readonly bytes: number;
}

function constantOf(name: string, { default: value, optional = false }: Schema): readonly Constant[] {
  if (value === undefined || (!optional && isZero(value))) return [];
  return [{ name, value, optional, bytes: name.length + 4 + jsonSize(value) }];
}

/** Returns the value itself if nothing changes; a large one may be copied all the same. */
type PartFiller = (value: JsonValue, filling: Filling) => JsonValue;

interface Part {
  readonly name: string;
  readonly fill: PartFiller;
}

function asObjectPart(filler: Filler | undefined): PartFiller | undefined {
  return filler && ((value, filling) => (isJsonObject(value) ? filler(value, filling) : value));
}

function asListPart(filler: Filler | undefined): PartFiller | undefined {
  if (!filler) return undefined;
  const fill: PartFiller = (item, filling) => (isJsonObject(item) ? filler(item, filling) : item);
  return (value, filling) => {
    if (!Array.isArray(value)) return value;
    if (!filling.takes(value.length)) return fillLater(value, fill, filling);
    const filled = value.map((item) => fill(item, filling));
    return filled.every((item, index) => item === value[index]) ? value : filled;
  };
}

function fillLater(list: readonly JsonValue[], fill: PartFiller, filling: Filling): JsonValue {
  const filled: JsonValue[] = [];
  filling.postpone(listSteps(list, filled, fill, filling));
  return filled;
}

function* listSteps(
  list: readonly JsonValue[],
  filled: JsonValue[],
  fill: PartFiller,
  filling: Filling,
): Steps<void> {
  for (const item of list) {
    if (filling.isDue()) yield;
    filled.push(fill(item, filling));
  }
}

/** @param fill of each value */
function asMapPart(fill: PartFiller): PartFiller {
  return (value, filling) => {
    if (!isJsonObject(value)) return value;
    const names = Object.keys(value);
    if (!filling.takes(names.length)) return fillMapLater(value, names, fill, filling);
    const filled = names.map((name) => fill(value[name] as JsonValue, filling));
    return filled.every((member, index) => member === value[names[index] as string])
      ? value
      : Object.fromEntries(names.map((name, index) => [name, filled[index]]));
  };
}

function fillMapLater(
  map: JsonObject,
  names: readonly string[],
  fill: PartFiller,
  filling: Filling,
): JsonObject {
  const filled: Record<string, JsonValue> = {};
  filling.postpone(mapSteps(map, names, filled, fill, filling));
  return filled;
}

function* mapSteps(
  map: JsonObject,
  names: readonly string[],
  filled: Record<string, JsonValue>,
  fill: PartFiller,
  filling: Filling,
): Steps<void> {
  for (const name of names) {
    if (filling.isDue()) yield;
    setMember(filled, name, fill(map[name] as JsonValue, filling));
  }
}

/** Of the many members that a type may have an object often has few: it costs no more than these, and what it gets. */
function structFiller(
  order: readonly string[],
  rule: DefaultRule,
  constants: readonly Constant[],
  parts: readonly Part[],
): Filler {
  const fields = fieldsOf(order, constants, parts);
  return (value, filling) => {
    const ruled = rule(value);
    if (ruled !== value) filling.addNew(value, ruled);
    const members = new OrderedMembers();
    let isChanged = ruled !== value;
    for (const name in ruled) {
      const before = ruled[name];
      const field = before === undefined ? undefined : fields.get(name);
      if (!field) continue;
      const after = filledMember(field, before as JsonValue, filling);
      if (after !== before) isChanged = true;
      members.add(field, after);
    }
    for (const { name, value: missing, bytes } of constants) {
      if (ruled[name] !== undefined) continue;
      const field = fields.get(name) as Field;
      members.add(field, filledMember(field, missing, filling));
      filling.add(bytes);
      isChanged = true;
    }
    return isChanged ? members.toObject() : value;
  };
}

/** What there is to fill of a field. */
interface Field {
  readonly name: string;
  /** In the order of its type. */
  readonly position: number;
  readonly constant: Constant | undefined;
  readonly fill: PartFiller | undefined;
}

function fieldsOf(
  order: readonly string[],
  constants: readonly Constant[],
  parts: readonly Part[],
): ReadonlyMap<string, Field> {
  const constantOfName = new Map(constants.map((constant) => [constant.name, constant]));
  const fills = new Map(parts.map(({ name, fill }) => [name, fill]));
  return new Map(
    order.map((name, position) => [
      name,
      { name, position, constant: constantOfName.get(name), fill: fills.get(name) },
    ]),
  );
}

function filledMember({ constant, fill }: Field, before: JsonValue, filling: Filling): JsonValue {
  const value = constant && isMissing(before, constant) ? constant.value : before;
  return fill && value !== null ? fill(value, filling) : value;
}

/** Members of an object in the order of its type, in which most of them come. */
class OrderedMembers {
  readonly #fields: Field[] = [];
  readonly #values: JsonValue[] = [];

  add(field: Field, value: JsonValue): void {
    const fields = this.#fields;
    const values = this.#values;
    let at = fields.length;
    for (; at > 0 && (fields[at - 1] as Field).position > field.position; at--) {
      fields[at] = fields[at - 1] as Field;
      values[at] = values[at - 1] as JsonValue;
    }
    fields[at] = field;
    values[at] = value;
  }

  toObject(): JsonObject {
    const object: Record<string, JsonValue> = {};
    for (let at = 0; at < this.#fields.length; at++)
      object[(this.#fields[at] as Field).name] = this.#values[at] as JsonValue;
    return object;
  }
}

/** Without a difference between absence and the zero value, both are absence. */
function isMissing(value: JsonValue | undefined, { optional }: Constant): boolean {
  return value === undefined || value === null || (!optional && isZero(value));
}

const isZero = (value: JsonValue): boolean =>
  value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);

/** Quantities that may be finer than a thousandth. */
const FINE: RegExp = /[nu]$|\.\d{4}|e-/i;

/** Rounds a quantity up to a thousandth. */
function roundedUp(amount: JsonValue): JsonValue {
  if (typeof amount !== 'string' || !FINE.test(amount)) return amount;
  return parseQuantity(`${parseQuantity(amount).multiply(1000n).value()}m`).toString();
}
