import { isMap, type MapKey, mapGet, mapKeyOf, mapKeys } from '../values/maps.ts';
import {
  Boxed,
  Double,
  Duration,
  EvaluationError,
  isError,
  listItems,
  Timestamp,
  Uint,
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
  if (!isMap(range)) return new EvaluationError(`got 'types.${goTypeName(range)}', expected iterable type`);
  const keys = mapKeys(range);
  if (!two) return { first: keys };
  return { first: keys, second: keys.map((key) => mapGet(range, mapKeyOf(key) as MapKey) as Value) };
}

/** The name of a value's type in the reference's evaluator, which its error shows. */
function goTypeName(value: Value): string {
  if (value === null) return 'Null';
  if (typeof value === 'boolean') return 'Bool';
  if (typeof value === 'string') return 'String';
  if (typeof value === 'bigint') return 'Int';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'Int' : 'Double';
  if (value instanceof Uint8Array) return 'Bytes';
  return value instanceof Boxed ? goNameOfBox(value) : 'Dyn';
}

function goNameOfBox(value: Boxed): string {
  if (value instanceof Double) return 'Double';
  if (value instanceof Uint) return 'Uint';
  if (value instanceof Duration) return 'Duration';
  return value instanceof Timestamp ? 'Timestamp' : 'Dyn';
}
