import { Operator } from '../syntax/ast.ts';
import { missingOverload } from './missing-overload.ts';
import { Double, EvaluationError, toDouble, Uint, type Value } from './values.ts';

const INT_MIN = -(2n ** 63n);
const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** The canonical form of an int: a number if it is safe. The argument must be in the range of 64 bits. */
export function toInt(value: bigint): number | bigint {
  return value <= MAX_SAFE && value >= -MAX_SAFE ? Number(value) : value;
}

/** Whether a value is an int. */
export function isInt(value: Value): value is number | bigint {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** Whether a value is a double. */
export function isDouble(value: Value): value is number | Double {
  return value instanceof Double || (typeof value === 'number' && !Number.isSafeInteger(value));
}

/** A double as a number, undefined for other values. */
export function doubleOf(value: Value): number | undefined {
  if (value instanceof Double) return value.value;
  return typeof value === 'number' && !Number.isSafeInteger(value) ? value : undefined;
}

function checkedInt(value: bigint): number | bigint | EvaluationError {
  return value > INT_MAX || value < INT_MIN ? new EvaluationError('integer overflow') : toInt(value);
}

function checkedUint(value: bigint): Uint | EvaluationError {
  return value > UINT_MAX || value < 0n ? new EvaluationError('unsigned integer overflow') : new Uint(value);
}

/** The four operations, each for ints beyond the safe range, for uints and for doubles. */
interface Arithmetic {
  /** Of the operator, for errors. */
  readonly name: string;
  readonly integers: (a: bigint, b: bigint) => bigint;
  readonly doubles?: (a: number, b: number) => number;
  /** Error of a zero divisor. */
  readonly byZero?: string;
}

/** Operation on two numbers of one type; no such overload for anything else. */
function operate(operation: Arithmetic, a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) {
    if (operation.byZero && Number(b) === 0) return new EvaluationError(operation.byZero);
    return checkedInt(operation.integers(BigInt(a), BigInt(b)));
  }
  if (a instanceof Uint && b instanceof Uint) {
    if (operation.byZero && b.value === 0n) return new EvaluationError(operation.byZero);
    return checkedUint(operation.integers(a.value, b.value));
  }
  const x = doubleOf(a);
  const y = doubleOf(b);
  if (x === undefined || y === undefined || !operation.doubles)
    return missingOverload(operation.name, [a, b]);
  return toDouble(operation.doubles(x, y));
}

const addition: Arithmetic = { name: Operator.add, integers: (a, b) => a + b, doubles: (a, b) => a + b };
const subtraction: Arithmetic = {
  name: Operator.subtract,
  integers: (a, b) => a - b,
  doubles: (a, b) => a - b,
};
const multiplication: Arithmetic = {
  name: Operator.multiply,
  integers: (a, b) => a * b,
  doubles: (a, b) => a * b,
};
const division: Arithmetic = {
  name: Operator.divide,
  integers: (a, b) => a / b,
  doubles: (a, b) => a / b,
  byZero: 'division by zero',
};
const remainder: Arithmetic = { name: Operator.modulo, integers: (a, b) => a % b, byZero: 'modulus by zero' };

/** Sum of two numbers of one type, or an error. */
export function addNumbers(a: Value, b: Value): Value {
  return operate(addition, a, b);
}

/** Difference of two numbers of one type, or an error. */
export function subtractNumbers(a: Value, b: Value): Value {
  return operate(subtraction, a, b);
}

/** Product of two numbers of one type, or an error. */
export function multiply(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
    const product = a * b;
    // Adding zero removes the sign of a negative zero.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return operate(multiplication, a, b);
}

/** Quotient of two numbers of one type, rounded to zero for integers, or an error. */
export function divide(a: Value, b: Value): Value {
  return operate(division, a, b);
}

/** Remainder of two integers of one type, with the sign of the first, or an error. */
export function modulo(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) {
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b)) return (a % b) + 0;
  }
  return operate(remainder, a, b);
}

/** The negated number, or an error. */
export function negate(value: Value): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 0 - value : -value;
  if (typeof value === 'bigint') return checkedInt(-value);
  if (value instanceof Double) return new Double(-value.value);
  return missingOverload(Operator.negate, [value]);
}

/**
 * Order of two numbers of any types: negative, zero or positive; NaN if unordered; undefined for other
 * values.
 */
export function compareNumbers(a: Value, b: Value): number | undefined {
  const x = numeric(a);
  const y = numeric(b);
  if (x === undefined || y === undefined) return undefined;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (typeof x === typeof y) return x < y ? -1 : x > y ? 1 : 0;
  // An integer is compared with a double as the nearest double.
  if (doubleOf(a) !== undefined || doubleOf(b) !== undefined) return Math.sign(Number(x) - Number(y));
  return x < y ? -1 : x > y ? 1 : 0;
}

/** A number of any type as something that JavaScript compares exactly. */
export function numeric(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof Double || value instanceof Uint ? value.value : undefined;
}
