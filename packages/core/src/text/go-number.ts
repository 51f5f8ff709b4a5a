import { isInt64 } from '../values/integer-text.ts';

/**
 * Prints a number as messages show it: an integer within 64 bits as one, anything else as {@link goFloat}
 * does.
 */
export function goNumber(value: number | bigint): string {
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  return isWhole && isInt64(BigInt(value)) ? String(BigInt(value)) : goFloat(Number(value));
}

/**
 * Prints a float as Go's `%g` does: with the fewest digits that identify it, and an exponent of at least two
 * digits below 1e-4 and from 1e6 on.
 * @param single whether the fewest digits are those among floats of 32 bits
 */
export function goFloat(value: number, single = false): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const text = single ? shortestSingle(Math.fround(value)) : value.toExponential();
  const [mantissa = '', exponent = ''] = text.split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(text));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const SINGLE_DIGITS = 8;

function shortestSingle(value: number): string {
  for (let digits = 0; digits < SINGLE_DIGITS; digits++) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return value.toExponential(SINGLE_DIGITS);
}
