import { excerpt } from '../text/excerpt.ts';
import { goQuote } from '../text/go-text.ts';

const INTEGER = /^[+-]?[0-9]+$/;
const MAXIMUM = 2n ** 63n - 1n;
const MINIMUM = -(2n ** 63n);

/** Whether an integer fits 64 bits with a sign. */
export function isInt64(value: bigint): boolean {
  return value >= MINIMUM && value <= MAXIMUM;
}

/** A signed integer of 64 bits in decimal digits; undefined for every other string. */
export function parseInt64(text: string): bigint | undefined {
  const value = readInteger(text);
  return typeof value === 'bigint' && isInt64(value) ? value : undefined;
}

/**
 * Returns the error for a string that `parseInt64` does not accept:
 * `strconv.ParseInt: parsing "x": invalid syntax`.
 */
export function integerErrorText(reader: string, text: string): string {
  const why = INTEGER.test(text) ? 'value out of range' : 'invalid syntax';
  return `strconv.${reader}: parsing ${goQuote(excerpt(text))}: ${why}`;
}

/** The integer, clamped to 64 bits; undefined if the string is not an integer. */
export function clampedInt64(text: string): bigint | undefined {
  const value = readInteger(text);
  if (value === undefined) return undefined;
  if (value === 'huge') return text.startsWith('-') ? MINIMUM : MAXIMUM;
  return value > MAXIMUM ? MAXIMUM : value < MINIMUM ? MINIMUM : value;
}

/** Many digits are not converted: the cost would grow faster than their number. */
function readInteger(text: string): bigint | 'huge' | undefined {
  if (!INTEGER.test(text)) return undefined;
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > 19) return 'huge';
  const value = BigInt(digits === '' ? '0' : digits);
  return text.startsWith('-') ? -value : value;
}
