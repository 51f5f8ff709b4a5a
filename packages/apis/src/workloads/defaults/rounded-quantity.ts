import { type JsonValue, parseQuantity } from '@ashlar/core';

/** Quantities that may be finer than a thousandth. */
const FINE: RegExp = /[nu]$|\.\d{4}|e-/i;

/** Rounds a quantity up to a thousandth. */
export function roundedUp(amount: JsonValue): JsonValue {
  if (typeof amount !== 'string' || !FINE.test(amount)) return amount;
  return parseQuantity(`${parseQuantity(amount).multiply(1000n).value()}m`).toString();
}
