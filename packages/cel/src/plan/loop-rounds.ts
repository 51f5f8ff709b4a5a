import {
  type EvaluationError,
  isError,
  isMap,
  listItems,
  type MapKey,
  mapGet,
  mapKeyOf,
  mapKeys,
  noSuchOverload,
  type Value,
} from '../values/values.ts';

/** Values of the variables of a loop, round by round. */
export interface Rounds {
  readonly first: readonly Value[];
  readonly second?: readonly Value[];
}

/** The rounds over a list (elements, or indexes and elements) or map (keys, or keys and values). */
export function loopRounds(range: Value, two: boolean): Rounds | EvaluationError {
  const items = listItems(range);
  if (items) return two ? { first: items.map((_, i) => i), second: items } : { first: items };
  if (isError(range)) return range;
  if (!isMap(range)) return noSuchOverload();
  const keys = mapKeys(range);
  if (!two) return { first: keys };
  return { first: keys, second: keys.map((key) => mapGet(range, mapKeyOf(key) as MapKey) as Value) };
}
