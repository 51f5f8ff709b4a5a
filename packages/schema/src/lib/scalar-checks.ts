import { type FieldError, goFloat, goNumber, type JsonValue, type Schema } from '@ashlar/core';
import { type CompilePattern, patternOf } from './pattern.ts';
import { formatCheck } from './string-formats.ts';
import { enumError, factorError, ruleError, tooLongError, typeError } from './value-errors.ts';
import { isInteger, isWhole } from './whole-number.ts';

/** Checks one value; gives the error, if there is one. */
export type ScalarCheck<T> = (value: T, path: string) => FieldError | undefined;

/** The length and pattern of a string: only the first fault is told. Undefined where nothing is to be checked. */
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
  return (value, path) =>
    allowed.some((each) => isSame(value, each)) ? undefined : enumError(path, value, allowed);
}

/** Numbers are compared in the type of the enumeration's: beside a whole one a fraction is cut off. Null equals nothing. */
function isSame(value: JsonValue, allowed: JsonValue): boolean {
  if (typeof value === 'number' && typeof allowed === 'number') {
    return (Number.isInteger(allowed) ? Math.trunc(value) : value) === allowed;
  }
  if (value === null || allowed === null) return false;
  if (typeof value === 'object') return canonicalText(value) === canonicalText(allowed);
  // biome-ignore lint/suspicious/noDoubleEquals: a number equals the bigint of its value
  return typeof value === 'bigint' || typeof allowed === 'bigint' ? value == allowed : value === allowed;
}

/** A value as JSON with sorted keys, for comparison. */
export function canonicalText(value: JsonValue): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return `${part}`;
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

type Numeric = number | bigint;

/** The bounds and the factor of a number. Whole numbers are compared with bounds whose fraction is cut off. */
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

/** A number of the schema as messages print it: beside a whole value as an integer, otherwise as a float. */
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
