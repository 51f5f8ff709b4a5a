import type { Implementation } from '../check/declarations.ts';
import { Operator } from '../syntax/ast.ts';
import { compareValues } from '../values/equality.ts';
import { isDouble, isInt } from '../values/numbers.ts';
import {
  Duration,
  EvaluationError,
  isError,
  listItems,
  noSuchOverload,
  Timestamp,
  typeOfValue,
  Uint,
  type Value,
} from '../values/values.ts';

const isNumber = (value: Value): boolean => isInt(value) || isDouble(value) || value instanceof Uint;
const isText = (value: Value): boolean => typeof value === 'string';
const isTime = (value: Value): boolean => value instanceof Timestamp || value instanceof Duration;
const hasOrder = (value: Value): boolean => compareValues(value, value) !== undefined;
const mayBeCounted = (value: Value): boolean => isNumber(value) || isText(value) || isTime(value);
const mayBeDivided = (value: Value): boolean => mayBeCounted(value) && !isDouble(value);
const mayBeNegated = (value: Value): boolean =>
  typeof value === 'boolean' || (mayBeCounted(value) && !(value instanceof Uint));

/** Which first operands look at the others themselves; the error for any other names the operator. */
const OPERATORS: ReadonlyMap<string, (first: Value) => boolean> = new Map([
  ...[Operator.less, Operator.lessEquals, Operator.greater, Operator.greaterEquals].map(
    (name) => [name, hasOrder] as const,
  ),
  [Operator.modulo, mayBeDivided],
  ...[Operator.subtract, Operator.multiply, Operator.divide].map((name) => [name, mayBeCounted] as const),
  [Operator.add, (first) => mayBeCounted(first) || first instanceof Uint8Array || !!listItems(first)],
  [Operator.negate, mayBeNegated],
  [Operator.not, mayBeNegated],
  ['size', () => false],
  ...['contains', 'startsWith', 'endsWith', 'matches'].map((name) => [name, () => true] as const),
]);

/** The error of a call that no overload accepts, as release 1.32 words it: functions name the types of all operands, operators none. */
export function missingOverload(name: string, operands: readonly Value[]): EvaluationError {
  const isOwn = OPERATORS.get(name);
  if (!isOwn) {
    const types = operands.map((operand) => typeOfValue(operand).name);
    return new EvaluationError(`no such overload: ${name}(${types.join(', ')})`);
  }
  return isOwn(operands[0] ?? null) ? noSuchOverload() : new EvaluationError(`no such overload: ${name}`);
}

/** The implementation of an operator whose errors name it where they have to. */
export function namingOperator(name: string, evaluate: Implementation): Implementation {
  if (!OPERATORS.has(name)) return evaluate;
  return (...operands: Value[]) => {
    const value = evaluate(...operands);
    return isError(value) && value.message === 'no such overload' ? missingOverload(name, operands) : value;
  };
}
