import { type JsonObject, utf8Length } from '@ashlar/core';
import { isMap, type MapKey, type MapValue, mapGet, mapKeyOf, mapKeys, mapSize } from '../values/maps.ts';
import { codePointCount } from '../values/strings.ts';
import { ListValue, ObjectValue, Opaque, Optional, type Value } from '../values/values.ts';
import { work } from './work.ts';

/** Cost units of a call, from its arguments (the target first) and, if it needs that, its result. */
export interface CallCost {
  (args: readonly Value[], result: Value, model: CostModel): number;
  /**
   * Whether it depends on the result, so that it is charged afterwards; all others are charged before the
   * work.
   */
  readonly ofResult?: true;
}

/** A cost that depends on the result. */
export function ofResult(
  cost: (args: readonly Value[], result: Value, model: CostModel) => number,
): CallCost {
  return Object.assign(cost, { ofResult: true as const });
}

/**
 * Costs of evaluation, in machine-independent units of work (semantics/schemas#costs). Reading a variable or
 * field costs 1, so does a call by default; constants are free.
 */
export interface CostModel {
  /** A list literal that is not constant. */
  readonly list: number;
  /** A map literal that is not constant. */
  readonly map: number;
  /** A message literal. */
  readonly message: number;
  /** `has()`, in addition to its operand. */
  readonly presenceTest: number;
  /** Per code point of a text that is read. */
  readonly text: number;
  /** Per code point of a text that is matched with a pattern; multiplied with `pattern`. */
  readonly patternInput: number;
  /** Per code point of a pattern. */
  readonly pattern: number;
  /** Whether the text of a match counts one more, so that patterns also cost on the empty text. */
  readonly emptyInputCosts: boolean;
}

/** The specification's model: a list literal costs 40, a pattern search its length times that of the text. */
export const specificationCosts: CostModel = {
  list: 40,
  map: 30,
  message: 40,
  presenceTest: 0,
  text: 0.1,
  patternInput: 1,
  pattern: 1,
  emptyInputCosts: false,
};

/** The cost model of the reference server. Used with the vocabulary of its clients, whose rules were written against it. */
export const kubernetesCosts: CostModel = {
  list: 10,
  map: 30,
  message: 40,
  presenceTest: 0,
  text: 0.1,
  patternInput: 0.1,
  pattern: 0.25,
  emptyInputCosts: true,
};

/** Returns the size of a value in code points, bytes, elements or entries; 1 for values without a size. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return codePointCount(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof ListValue) return value.items.length;
  if (isMap(value)) return mapSize(value);
  if (value instanceof Optional && value.value !== undefined) return sizeOf(value.value);
  if (value instanceof ObjectValue) return value.size;
  return value instanceof Opaque ? (value.size ?? 1) : 1;
}

/** Cost of reading so many code points. */
export function textCost(size: number, model: CostModel): number {
  return Math.ceil(size * model.text);
}

/** Cost of a pattern search. */
export function patternCost(input: number, pattern: number, model: CostModel): number {
  const text = Math.ceil((input + (model.emptyInputCosts ? 1 : 0)) * model.patternInput);
  return text * Math.ceil(pattern * model.pattern);
}

/** Cost of reading the first argument `times` times. */
export function readsFirst(times: number = 1): CallCost {
  return ([first], _, model) => textCost(sizeOf(first as Value) * times, model);
}

/** A fixed cost. */
export function fixedCost(units: number): CallCost {
  return () => units;
}

/** Cost of visiting a value with everything in it: one per scalar, strings by their bytes. */
export function traversalCost(value: Value, model: CostModel): number {
  if (typeof value === 'string') {
    work(value.length);
    return Math.floor(utf8Length(value) * model.text);
  }
  if (value instanceof Uint8Array) return Math.floor(value.length * model.text);
  const items = Array.isArray(value)
    ? (value as readonly Value[])
    : value instanceof ListValue
      ? value.items
      : undefined;
  if (items) {
    work(items.length * 2 + 1);
    return items.reduce<number>((sum, item) => sum + traversalCost(item, model), 0);
  }
  return isMap(value) ? mapTraversalCost(value, model) : 1;
}

function mapTraversalCost(map: JsonObject | MapValue, model: CostModel): number {
  let cost = 0;
  for (const key of mapKeys(map)) {
    const value = mapGet(map, mapKeyOf(key) as MapKey);
    cost += traversalCost(key, model) + (value === undefined ? 0 : traversalCost(value, model));
  }
  return cost;
}
