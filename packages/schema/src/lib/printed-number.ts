/**
 * A number as error texts print it: whole ones without exponent, others shortest, with an exponent from 1e21 up and below 1e-4.
 */
export function printedNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(BigInt(value));
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 21) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const MAXIMUM_SAFE = 2 ** 53 - 1;
const RELATIVE_ERROR = 1e-9;

/** Whether a number is whole, as far as the sums of doubles can tell. */
export function isWhole(value: number): boolean {
  if (!(Math.abs(value) <= MAXIMUM_SAFE)) return false;
  const whole = Math.trunc(value);
  if (value === whole) return true;
  if (whole <= 0) return false;
  return (value - whole) / (value + whole) < RELATIVE_ERROR;
}

/** Whether a JSON number is an integer; `1.0` is one, as it is `1` in memory. */
export const isInteger = (value: number | bigint): boolean =>
  typeof value === 'bigint' || Number.isInteger(value);
