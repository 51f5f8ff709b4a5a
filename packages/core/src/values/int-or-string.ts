import { jsonTypeError } from '../errors/json-type-error.ts';
import { ParseError } from '../errors/parse-error.ts';
import type { JsonValue } from '../json/json.ts';
import { goQuote } from '../text/go-text.ts';
import { clampedInt64, integerErrorText, parseInt64 } from './integer-text.ts';

/** An integer of 32 bits, or a string: the name of a port, a percentage. */
export type IntOrString = number | string;

/**
 * Parses the JSON form: a string or an integer of 32 bits; null is 0.
 * @param literal how a number was spelled, if available: `1e2` is not an integer
 * @throws ParseError
 */
export function fromJsonIntOrString(value: JsonValue, literal?: string): IntOrString {
  if (typeof value === 'string') return value;
  if (value === null) return 0;
  if (typeof value !== 'number' && typeof value !== 'bigint') throw jsonTypeError(value, 'int32');
  const spelled = literal ?? String(value);
  const integer = parseInt64(spelled);
  if (integer !== undefined && integer === BigInt.asIntN(32, integer)) return Number(integer);
  throw new ParseError(`json: cannot unmarshal number ${spelled} into Go value of type int32`);
}

/** The integer, also if it is spelled as a string; 0 for other strings. */
export function integerOf(value: IntOrString): number {
  return typeof value === 'number' ? value : Number(clampedInt64(value) ?? 0n);
}

/**
 * The integer, or that percentage of a total.
 *
 * @example scaledInteger('10%', 15, 'up') // 2
 *
 * @throws ParseError if a string is not a percentage
 */
export function scaledInteger(value: IntOrString, total: number, rounding: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const share = (percentOf(value) * total) / 100;
  return (rounding === 'up' ? Math.ceil(share) : Math.floor(share)) || 0;
}

function percentOf(text: string): number {
  if (!text.endsWith('%')) {
    throw new ParseError('invalid value for IntOrString: invalid type: string is not a percentage');
  }
  const digits = text.slice(0, -1);
  const value = parseInt64(digits);
  if (value !== undefined) return Number(value);
  throw new ParseError(
    `invalid value for IntOrString: invalid value ${goQuote(text)}: ${integerErrorText('Atoi', digits)}`,
  );
}
