import { ParseError, parseQuantity, type Quantity, quantityOf, type Vocabulary } from '@ashlar/core';
import { type FunctionDeclaration, type Library, method, named, overload } from '../check/declarations.ts';
import { type CelType, types } from '../check/types.ts';
import { readsFirst } from '../cost/cost-model.ts';
import { estimateReading } from '../cost/estimate-model.ts';
import { work } from '../cost/work.ts';
import { toInt } from '../values/numbers.ts';
import { EvaluationError, Opaque, toDouble, type Value } from '../values/values.ts';

const { bool, int, double, string } = types;

/** A quantity such as `1.5Gi`. */
class QuantityValue extends Opaque {
  readonly type: CelType;
  readonly quantity: Quantity;
  constructor(type: CelType, quantity: Quantity) {
    super();
    this.type = type;
    this.quantity = quantity;
  }
  equals(other: Opaque): boolean {
    return other instanceof QuantityValue && this.quantity.equals(other.quantity);
  }
  override toString(): string {
    return this.quantity.toString();
  }
}

/** Steps of reading a quantity, which allocates. */
const STEPS_OF_READING = 400;
/** Steps per character of a quantity, which has at most ten thousand digits. */
const STEPS_PER_CHARACTER = 20;
/** Steps of combining two quantities, of at most some ten thousand digits. */
const ARITHMETIC_STEPS = 2_000;

function read(text: string): Quantity | EvaluationError {
  // Parsing a number takes time quadratic in its digits.
  work(STEPS_OF_READING + text.length * STEPS_PER_CHARACTER + (text.length * text.length) / 40);
  try {
    return parseQuantity(text);
  } catch (error) {
    if (ParseError.is(error)) return new EvaluationError(error.message);
    throw error;
  }
}

function asInteger({ quantity }: QuantityValue): Value {
  const value = quantity.toInt64();
  return value === undefined ? new EvaluationError('cannot convert value to integer') : toInt(value);
}

/** Sums and differences that would have too many digits are an error. */
function combined(value: QuantityValue, combine: () => Quantity): Value {
  work(ARITHMETIC_STEPS);
  try {
    return new QuantityValue(value.type, combine());
  } catch (error) {
    if (error instanceof RangeError) return new EvaluationError(error.message);
    throw error;
  }
}

const whole = (value: number | bigint): Quantity => quantityOf(BigInt(value), 'DecimalExponent');
const reading = { cost: readsFirst(), estimate: estimateReading() };

/** `quantity`, `isQuantity` and arithmetic on quantities (semantics/schemas#rules). */
export function quantitiesLibrary(vocabulary: Vocabulary): Library {
  const type: CelType = { ...types.object(`${vocabulary.name}.Quantity`), comparison: { min: 1n, max: 1n } };
  const quantity = (text: string): Value => {
    const parsed = read(text);
    return parsed instanceof EvaluationError ? parsed : new QuantityValue(type, parsed);
  };
  const compares = (
    name: string,
    id: string,
    holds: (order: number) => Value,
    result: CelType,
  ): FunctionDeclaration =>
    named(
      name,
      method(id, [type, type], result, (a: QuantityValue, b: QuantityValue) =>
        holds(a.quantity.compare(b.quantity)),
      ),
    );
  const sign = ({ quantity: { sign: value } }: QuantityValue): Value => value;
  const add = (a: QuantityValue, b: Quantity): Value => combined(a, () => a.quantity.add(b));
  const subtract = (a: QuantityValue, b: Quantity): Value => combined(a, () => a.quantity.subtract(b));
  return {
    name: 'quantities',
    types: [type],
    functions: [
      named('quantity', overload('string_to_quantity', [string], type, quantity, reading)),
      named(
        'isQuantity',
        overload(
          'is_quantity_string',
          [string],
          bool,
          (text: string) => !(read(text) instanceof EvaluationError),
          reading,
        ),
      ),
      named(
        'sign',
        overload('quantity_sign', [type], int, sign),
        method('quantity_sign_member', [type], int, sign),
      ),
      compares('isGreaterThan', 'quantity_is_greater_than', (order) => order > 0, bool),
      compares('isLessThan', 'quantity_is_less_than', (order) => order < 0, bool),
      compares('compareTo', 'quantity_compare_to', (order) => order, int),
      named(
        'asApproximateFloat',
        method('quantity_get_float', [type], double, (value: QuantityValue) =>
          toDouble(value.quantity.toApproximateNumber()),
        ),
      ),
      named('asInteger', method('quantity_get_int', [type], int, asInteger)),
      named(
        'isInteger',
        method(
          'quantity_is_integer',
          [type],
          bool,
          (value: QuantityValue) => value.quantity.toInt64() !== undefined,
        ),
      ),
      named(
        'add',
        method('quantity_add', [type, type], type, (a: QuantityValue, b: QuantityValue) =>
          add(a, b.quantity),
        ),
        method('quantity_add_int', [type, int], type, (a: QuantityValue, b: number | bigint) =>
          add(a, whole(b)),
        ),
      ),
      named(
        'sub',
        method('quantity_sub', [type, type], type, (a: QuantityValue, b: QuantityValue) =>
          subtract(a, b.quantity),
        ),
        method('quantity_sub_int', [type, int], type, (a: QuantityValue, b: number | bigint) =>
          subtract(a, whole(b)),
        ),
      ),
    ],
  };
}
