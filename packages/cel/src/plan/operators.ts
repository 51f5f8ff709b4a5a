import { work } from '../cost/work.ts';
import { Operator } from '../syntax/ast.ts';
import { compareValues, listIncludes, mapIncludes, valuesEqual } from '../values/equality.ts';
import { isMap } from '../values/maps.ts';
import { missingOverload } from '../values/missing-overload.ts';
import { addNumbers, subtractNumbers } from '../values/numbers.ts';
import { addDuration, sumDurations, timeBetween } from '../values/time.ts';
import {
  Duration,
  EvaluationError,
  ListValue,
  listItems,
  noSuchOverload,
  Timestamp,
  type Value,
} from '../values/values.ts';

/** `a < b` of any two values that have an order. */
export function less(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  const order = compareValues(a, b);
  return order === undefined ? missingOverload(Operator.less, [a, b]) : order < 0;
}

/** `a <= b` of any two values that have an order. */
export function lessEquals(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return a <= b;
  const order = compareValues(a, b);
  return order === undefined ? missingOverload(Operator.lessEquals, [a, b]) : order <= 0;
}

/** `a > b` of any two values that have an order. */
export function greater(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return a > b;
  const order = compareValues(a, b);
  return order === undefined ? missingOverload(Operator.greater, [a, b]) : order > 0;
}

/** `a >= b` of any two values that have an order. */
export function greaterEquals(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return a >= b;
  const order = compareValues(a, b);
  return order === undefined ? missingOverload(Operator.greaterEquals, [a, b]) : order >= 0;
}

/** `a == b`. */
export function equals(a: Value, b: Value): Value {
  return valuesEqual(a, b);
}

/** `a != b`. */
export function notEquals(a: Value, b: Value): Value {
  return !valuesEqual(a, b);
}

/** `a + b` of numbers, texts, bytes, lists, timestamps and durations. */
export function add(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum) && Number.isSafeInteger(a) && Number.isSafeInteger(b)) return sum;
    return addNumbers(a, b);
  }
  if (typeof a === 'string') return typeof b === 'string' ? a + b : noSuchOverload();
  if (a instanceof Timestamp) return b instanceof Duration ? addDuration(a, b, 1) : noSuchOverload();
  if (a instanceof Duration) return addToDuration(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? concatBytes(a, b) : noSuchOverload();
  return addLists(a, b) ?? addNumbers(a, b);
}

function addToDuration(a: Duration, b: Value): Value {
  if (b instanceof Duration) return sumDurations(a, b, 1);
  return b instanceof Timestamp ? addDuration(b, a, 1) : noSuchOverload();
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  work(a.length + b.length);
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/** Steps per element of two joined lists, and of two lists of a special kind. */
const STEPS_PER_ELEMENT = 8;
const STEPS_PER_SPECIAL_ELEMENT = 50;

function addLists(a: Value, b: Value): Value | undefined {
  const left = listItems(a);
  const right = left && listItems(b);
  if (!left || !right) return undefined;
  if (a instanceof ListValue) {
    work((left.length + right.length) * STEPS_PER_SPECIAL_ELEMENT);
    const own = a.concat(right);
    if (own !== undefined) return own;
  }
  if (left.length === 0) return b;
  work((left.length + right.length) * STEPS_PER_ELEMENT);
  return right.length === 0 ? a : left.concat(right);
}

/** `a - b` of numbers, timestamps and durations. */
export function subtract(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference) && Number.isSafeInteger(a) && Number.isSafeInteger(b))
      return difference;
    return subtractNumbers(a, b);
  }
  if (a instanceof Timestamp) {
    if (b instanceof Timestamp) return timeBetween(a, b);
    return b instanceof Duration ? addDuration(a, b, -1) : noSuchOverload();
  }
  if (a instanceof Duration) return b instanceof Duration ? sumDurations(a, b, -1) : noSuchOverload();
  return subtractNumbers(a, b);
}

/** `!a`. */
export function not(value: Value): Value {
  return typeof value === 'boolean' ? !value : noSuchOverload();
}

/** `a in b` of lists and maps. */
export function isIn(value: Value, container: Value): Value {
  const items = listItems(container);
  if (items) return listIncludes(items, value);
  return isMap(container) ? mapIncludes(container, value) : noSuchOverload();
}

/** Whether a loop continues: anything but false. */
export function notStrictlyFalse(value: Value): Value {
  return value instanceof EvaluationError || value !== false;
}
