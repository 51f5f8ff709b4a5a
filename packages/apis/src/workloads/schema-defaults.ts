import {
  type ApiObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseQuantity,
  type Schema,
} from '@ashlar/core';

/** Returns an object with its defaults; the object itself if nothing is missing. */
export type DefaultRule = (value: JsonObject) => JsonObject;

/** Rules by the name of their type, for defaults that depend on other fields and so are not in the schema. */
export type DefaultRules = Readonly<Record<string, DefaultRule>>;

/**
 * Compiles the defaults of a kind, on first use: of each object first its type's rule, then the `default` of
 * each absent field, then nested objects. Quantities finer than a thousandth are rounded up. Objects keep
 * their fields in the schema's order.
 *
 * @example
 * const complete = compileDefaults(deploymentSchema);
 */
export function compileDefaults(schema: Schema, rules: DefaultRules = {}): (object: ApiObject) => ApiObject {
  let filler: Filler | undefined;
  return (object) => {
    filler ??= new Compiler(rules).ofStruct(schema) ?? same;
    return filler(object as unknown as JsonObject) as unknown as ApiObject;
  };
}

type Filler = (value: JsonObject) => JsonObject;

const same: Filler = (value) => value;

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
    if (schema.properties) return asPart(this.ofStruct(schema), (fill, value) => fill(value));
    if (schema.items) return asListPart(this.ofStruct(schema.items));
    if (typeof schema.additionalProperties !== 'object') return undefined;
    if (schema.additionalProperties.format === 'quantity') return roundedQuantities;
    return asPart(this.ofStruct(schema.additionalProperties), fillValues);
  }
}

interface Constant {
  readonly name: string;
  readonly value: JsonValue;
  readonly optional: boolean;
}

function constantOf(name: string, { default: value, optional = false }: Schema): readonly Constant[] {
  if (value === undefined || (!optional && isZero(value))) return [];
  return [{ name, value, optional }];
}

type PartFiller = (value: JsonValue) => JsonValue;

interface Part {
  readonly name: string;
  readonly fill: PartFiller;
}

function asPart(
  filler: Filler | undefined,
  apply: (fill: Filler, value: JsonObject) => JsonObject,
): PartFiller | undefined {
  return filler && ((value) => (isJsonObject(value) ? apply(filler, value) : value));
}

function asListPart(filler: Filler | undefined): PartFiller | undefined {
  if (!filler) return undefined;
  return (value) =>
    Array.isArray(value) ? mapped(value, (item) => (isJsonObject(item) ? filler(item) : item)) : value;
}

function mapped(list: readonly JsonValue[], change: (item: JsonValue) => JsonValue): readonly JsonValue[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

function fillValues(fill: Filler, map: JsonObject): JsonObject {
  const entries = Object.entries(map).map(([key, value]): [string, JsonValue | undefined] => [
    key,
    isJsonObject(value) ? fill(value) : value,
  ]);
  return entries.every(([key, value]) => value === map[key]) ? map : Object.fromEntries(entries);
}

function structFiller(
  order: readonly string[],
  rule: DefaultRule,
  constants: readonly Constant[],
  parts: readonly Part[],
): Filler {
  return (value) => {
    const ruled = rule(value);
    const changes = new Map<string, JsonValue>();
    for (const constant of constants)
      if (isMissing(ruled[constant.name], constant)) changes.set(constant.name, constant.value);
    for (const { name, fill } of parts) {
      const before = changes.get(name) ?? ruled[name];
      if (before === undefined || before === null) continue;
      const after = fill(before);
      if (after !== before) changes.set(name, after);
    }
    if (ruled === value && changes.size === 0) return value;
    return inOrder(order, { ...ruled, ...Object.fromEntries(changes) });
  };
}

/** Without a difference between absence and the zero value, both are absence. */
function isMissing(value: JsonValue | undefined, { optional }: Constant): boolean {
  return value === undefined || value === null || (!optional && isZero(value));
}

const isZero = (value: JsonValue): boolean =>
  value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);

function inOrder(order: readonly string[], object: JsonObject): JsonObject {
  const ordered: Record<string, JsonValue> = {};
  for (const name of order) {
    const value = object[name];
    if (value !== undefined) ordered[name] = value;
  }
  return ordered;
}

/** Quantities that may be finer than a thousandth. */
const FINE: RegExp = /[nu]$|\.\d{4}|e-/i;

const roundedQuantities: PartFiller = (value) => {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  if (!entries.some(([, amount]) => typeof amount === 'string' && FINE.test(amount))) return value;
  return Object.fromEntries(entries.map(([key, amount]) => [key, roundedUp(amount)]));
};

function roundedUp(amount: JsonValue | undefined): JsonValue | undefined {
  if (typeof amount !== 'string' || !FINE.test(amount)) return amount;
  return parseQuantity(`${parseQuantity(amount).multiply(1000n).value()}m`).toString();
}
