import { isInt64 } from '@ashlar/core';

const MAXIMUM_SAFE = 2 ** 53 - 1;
const RELATIVE_ERROR = 1e-9;

/** Whether a number is an integer, as far as sums of doubles are exact. */
export function isWhole(value: number): boolean {
  if (!(Math.abs(value) <= MAXIMUM_SAFE)) return false;
  const whole = Math.trunc(value);
  if (value === whole) return true;
  if (whole <= 0) return false;
  return (value - whole) / (value + whole) < RELATIVE_ERROR;
}

/** Whether a JSON number is an integer of 64 bits; including `1.0`, which is `1` in memory. */
export const isInteger = (value: number | bigint): boolean =>
  (typeof value === 'bigint' || Number.isInteger(value)) && isInt64(BigInt(value));
