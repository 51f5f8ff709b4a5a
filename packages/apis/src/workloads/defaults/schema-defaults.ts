import {
  type ApiObject,
  isJsonObject,
  type JsonObject,
  runAtOnce,
  type Schema,
  type Steps,
} from '@ashlar/core';
import { constantOf } from './constant.ts';
import type { DefaultRule, DefaultRules } from './default-rules.ts';
import type { Filler, PartFiller } from './filler.ts';
import { Filling } from './filling.ts';
import { asListPart, asMapPart, asObjectPart } from './part-fillers.ts';
import { roundedUp } from './rounded-quantity.ts';
import { type Part, structFiller } from './struct-filler.ts';

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
