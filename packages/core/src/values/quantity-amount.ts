import { isInt64 } from './integer-text.ts';

/**
 * An exact decimal number, `value` times ten to the `exponent`. Other implementations hold `small` ones in 64
 * bits, which shows in their conversions. The exponent is never expanded to digits unless the result stays
 * short.
 */
export interface Amount {
  readonly value: bigint;
  readonly exponent: number;
  readonly small: boolean;
}

/** Maximum distance in digits of two amounts that can be added. */
const MAXIMUM_SHIFT = 20_000;

/** Maximum number of zeros that are written out. */
const MAXIMUM_ZEROS = 100_000;

/** Ten to a power that is not negative. */
function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** Number of decimal digits, without the sign. */
function digitsOf(value: bigint): number {
  return String(absolute(value)).length;
}

/** The value at a smaller or equal exponent; undefined if it would be unreasonably long. */
function shifted(
  { value, exponent }: Amount,
  targetExponent: number,
  maximum: number = MAXIMUM_SHIFT,
): bigint | undefined {
  if (value === 0n) return 0n;
  const shift = exponent - targetExponent;
  return shift > maximum ? undefined : value * powerOfTen(shift);
}

/** The amount at a larger exponent, rounded away from zero. */
function roundedAway({ value, exponent }: Amount, targetExponent: number): { value: bigint; exact: boolean } {
  const drop = targetExponent - exponent;
  if (drop <= 0 || value === 0n) return { value, exact: true };
  const unit = value < 0n ? -1n : 1n;
  if (drop > digitsOf(value)) return { value: unit, exact: false };
  const divisor = powerOfTen(drop);
  const exact = value % divisor === 0n;
  return { value: value / divisor + (exact ? 0n : unit), exact };
}

/**
 * The amount at exactly that exponent if that can be written down, otherwise unchanged; rounded away from
 * zero.
 */
export function atExponent(
  amount: Amount,
  targetExponent: number,
  maximumShift: number = MAXIMUM_SHIFT,
): { amount: Amount; exact: boolean } {
  if (amount.exponent < targetExponent) {
    const { value, exact } = roundedAway(amount, targetExponent);
    return { amount: { ...amount, value, exponent: targetExponent }, exact };
  }
  const value = shifted(amount, targetExponent, maximumShift);
  return {
    amount: value === undefined ? amount : { ...amount, value, exponent: targetExponent },
    exact: true,
  };
}

/** The value at exponent `scale` if it is an integer of 64 bits there. */
export function int64At(amount: Amount, scale: number): bigint | undefined {
  if (amount.exponent < scale || amount.exponent - scale > 40) return amount.value === 0n ? 0n : undefined;
  const value = shifted(amount, scale);
  return value !== undefined && isInt64(value) ? value : undefined;
}

/** Compares two amounts. Uses the lengths of the numbers first, never the sizes of exponents. */
export function compareAmounts(a: Amount, b: Amount): -1 | 0 | 1 {
  const sign = signOf(a);
  if (sign !== signOf(b)) return sign > signOf(b) ? 1 : -1;
  if (sign === 0) return 0;
  const length = digitsOf(a.value) + a.exponent - (digitsOf(b.value) + b.exponent);
  if (length !== 0) return length > 0 === sign > 0 ? 1 : -1;
  const exponent = Math.min(a.exponent, b.exponent);
  const left = a.value * powerOfTen(a.exponent - exponent);
  const right = b.value * powerOfTen(b.exponent - exponent);
  return left === right ? 0 : left > right ? 1 : -1;
}

export function signOf({ value }: Amount): -1 | 0 | 1 {
  return value === 0n ? 0 : value > 0n ? 1 : -1;
}

/**
 * The exact sum.
 * @throws RangeError if the sum would have tens of thousands of digits
 */
export function addAmounts(a: Amount, b: Amount): Amount {
  if (a.small && b.small) {
    if (b.value === 0n) return a;
    if (a.value === 0n) return b;
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const left = shifted(a, exponent);
  const right = shifted(b, exponent);
  if (left === undefined || right === undefined)
    throw new RangeError('the quantities lie too far apart to be added');
  const value = left + right;
  return { value, exponent, small: a.small && b.small && isInt64(left) && isInt64(right) && isInt64(value) };
}

/** The exact product with an integer. */
export function multiplyAmount(amount: Amount, by: bigint): Amount {
  const { exponent, small } = amount;
  if (small && amount.value === 0n) return amount;
  if (small && by === 0n) return { value: 0n, exponent: 0, small };
  const product = { value: amount.value * by, exponent, small: false };
  return { ...product, small: small && staysSmall(product) };
}

function staysSmall(product: Amount): boolean {
  if (!isInt64(product.value)) return false;
  return product.exponent >= 0 ? int64At(product, 0) !== undefined : roundedAway(product, 0).exact;
}

/**
 * Powers that other implementations multiply by in one step, and so wrap at; for other powers they stop and
 * return 0.
 */
const WRAPPING_SHIFTS = new Set([1, 2, 3, 6, 9]);

/**
 * The amount in units of ten to the `scale`, as an integer of 64 bits, rounded up. Beyond 64 bits the result
 * is that of other implementations: the low bits, or 0.
 */
export function scaledInt64(amount: Amount, scale: number): bigint {
  if (!amount.small) return scaledLowBits(amount, scale);
  if (amount.exponent < scale) return roundedAway(amount, scale).value;
  const shift = amount.exponent - scale;
  if (!WRAPPING_SHIFTS.has(shift)) return int64At(amount, scale) ?? 0n;
  return BigInt.asIntN(64, amount.value * powerOfTen(shift));
}

function scaledLowBits(amount: Amount, scale: number): bigint {
  const { value, exponent } = amount;
  const low = BigInt.asIntN(64, value);
  if (exponent === scale) return low;
  if (exponent > scale) {
    const factor = exponent - scale < 19 ? powerOfTen(exponent - scale) : -(2n ** 63n);
    return BigInt.asIntN(64, low * factor);
  }
  const drop = scale - exponent;
  if (drop < 19 && value < 2n ** 63n - 1n) {
    const divisor = powerOfTen(drop);
    return low / divisor + (low % divisor === 0n ? 0n : 1n);
  }
  return BigInt.asIntN(64, roundedUp(amount, scale));
}

/** Rounded towards positive infinity. */
function roundedUp(amount: Amount, scale: number): bigint {
  const { value, exact } = roundedAway(amount, scale);
  return exact || value > 0n ? value : value + 1n;
}

/** The double of the digits times that of the power: fast, and sometimes off by a last digit. */
export function approximateNumber({ value, exponent }: Amount): number {
  const digits = Number(value);
  return exponent === 0 || value === 0n ? digits : digits * doublePower(exponent);
}

/** In steps of 32, as other implementations tabulate powers: the last digits must agree. */
function doublePower(exponent: number): number {
  if (exponent > 308) return Number.POSITIVE_INFINITY;
  if (exponent < -323) return 0;
  const size = Math.abs(exponent);
  const large = size - (size % 32);
  const small = Number(`1e${size % 32}`);
  return exponent > 0 ? Number(`1e${large}`) * small : Number(`1e-${large}`) / small;
}

/**
 * All digits: `0.100`, `1500000`.
 * @throws RangeError if there would be more than a hundred thousand zeros
 */
export function decimalText({ value, exponent }: Amount): string {
  if (exponent >= 0) return value === 0n ? '0' : String(value) + zeros(exponent);
  zeros(-exponent);
  const digits = String(absolute(value)).padStart(1 - exponent, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

function zeros(count: number): string {
  if (count > MAXIMUM_ZEROS) throw new RangeError('the quantity is too long to be written with all digits');
  return '0'.repeat(count);
}
