import { type FieldError, goFloat, goNumber, type JsonValue, type Schema } from '@ashlar/core';
import { type CompilePattern, patternOf } from '../formats/pattern.ts';
import { formatCheck } from '../formats/string-formats.ts';
import { isInteger, isWhole } from '../formats/whole-number.ts';
import { canonicalText } from '../structural/identity.ts';
import { enumError, factorError, ruleError, tooLongError, typeError } from './value-errors.ts';

/** Checks one value; returns the error, if any. */
export type ScalarCheck<T> = (value: T, path: string) => FieldError | undefined;

/**
 * The length and pattern of a string: only the first error is reported. Undefined if there is nothing to
 * check.
 */
export function compileStringCheck(
  schema: Schema,
  compilePattern: CompilePattern,
): ScalarCheck<string> | undefined {
  const { maxLength, minLength, pattern } = schema;
  if (maxLength === undefined && minLength === undefined && !pattern) return undefined;
  const compiled = pattern ? patternOf(pattern, compilePattern) : undefined;
  return (value, path) => {
    if (maxLength !== undefined && value.length > maxLength && characters(value) > maxLength) {
      return tooLongError(path, maxLength);
    }
    // At least every second unit is a character of its own.
    if (minLength !== undefined && value.length < 2 * minLength && characters(value) < minLength) {
      return ruleError(path, value, `should be at least ${minLength} chars long`);
    }
    return compiled && !compiled.test(value)
      ? ruleError(path, value, `should match '${pattern}'`)
      : undefined;
  };
}

/** Characters are code points. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The format of a string. */
export function compileFormatCheck(format: string): ScalarCheck<string> | undefined {
  const check = formatCheck(format);
  return check && ((value, path) => (check(value) ? undefined : typeError(path, format, value)));
}

/** Whether a value is one of an enumeration. */
export function compileEnumCheck(allowed: readonly JsonValue[]): ScalarCheck<JsonValue> {
  const isAllowed = compileEnumeration(allowed);
  return (value, path) => (isAllowed(value) ? undefined : enumError(path, value, allowed));
}

/**
 * The same without an error, by one lookup, in an enumeration of any length. Numbers are compared in the type
 * of the enumeration: for an integer a fraction is truncated. Null equals nothing.
 */
export function compileEnumeration(allowed: readonly JsonValue[]): (value: JsonValue) => boolean {
  const scalars = new Set(allowed.filter((each) => typeof each === 'string' || typeof each === 'boolean'));
  const composites = new Set(allowed.filter(isComposite).map(canonicalText));
  const fractions = new Set(allowed.filter((each) => typeof each === 'number' && !Number.isInteger(each)));
  const integers = new Set(allowed.filter(isWholeNumber).map(BigInt));
  const isAllowedNumber = (value: number): boolean =>
    fractions.has(value) || (Number.isFinite(value) && integers.has(BigInt(Math.trunc(value))));
  return (value) => {
    if (value === null) return false;
    if (typeof value === 'object') return composites.size > 0 && composites.has(canonicalText(value));
    if (typeof value === 'bigint') return integers.has(value);
    return typeof value === 'number' ? isAllowedNumber(value) : scalars.has(value);
  };
}

const isComposite = (value: JsonValue): boolean => typeof value === 'object' && value !== null;

const isWholeNumber = (value: JsonValue): value is number | bigint =>
  typeof value === 'bigint' || Number.isInteger(value);

type Numeric = number | bigint;

/** The bounds and the factor of a number. Integers are compared with truncated bounds. */
export function compileNumberChecks(schema: Schema): readonly ScalarCheck<Numeric>[] {
  const { multipleOf, maximum, minimum } = schema;
  const checks: ScalarCheck<Numeric>[] = [];
  if (multipleOf !== undefined) checks.push((value, path) => factorFault(value, multipleOf, path));
  if (minimum !== undefined) {
    checks.push(
      boundCheck(minimum, schema.exclusiveMinimum ?? false, 'greater than', (value, bound) => value > bound),
    );
  }
  if (maximum !== undefined) {
    checks.push(
      boundCheck(maximum, schema.exclusiveMaximum ?? false, 'less than', (value, bound) => value < bound),
    );
  }
  return checks;
}

function boundCheck(
  limit: number,
  exclusive: boolean,
  relation: string,
  inside: (value: Numeric, bound: number) => boolean,
): ScalarCheck<Numeric> {
  return (value, path) => {
    const bound = isInteger(value) ? Math.trunc(limit) : limit;
    // biome-ignore lint/suspicious/noDoubleEquals: a number equals the bigint of its value
    if (inside(value, bound) || (!exclusive && value == bound)) return undefined;
    return ruleError(
      path,
      value,
      `should be ${relation}${exclusive ? '' : ' or equal to'} ${beside(value, bound)}`,
    );
  };
}

/** A number of the schema in messages: for an integer value as an integer, otherwise as a float. */
const beside = (value: Numeric, other: number): string =>
  isInteger(value) ? goNumber(other) : goFloat(other);

function factorFault(value: Numeric, multipleOf: number, path: string): FieldError | undefined {
  const factor = isInteger(value) ? Math.trunc(multipleOf) : multipleOf;
  if (factor <= 0) return factorError(path, factor);
  const fits = isInteger(value)
    ? BigInt(value) % BigInt(factor) === 0n
    : isWhole(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor);
  return fits ? undefined : ruleError(path, value, `should be a multiple of ${beside(value, factor)}`);
}
