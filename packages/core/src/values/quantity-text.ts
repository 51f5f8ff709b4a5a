import { ParseError } from '../errors/parse-error.ts';
import { withoutTrailing } from '../text/trailing.ts';
import { isInt64, parseInt64 } from './integer-text.ts';
import { type Amount, atExponent, compareAmounts, signOf } from './quantity-amount.ts';

/** How a quantity is printed: `12M`, `12Mi`, `12e6`. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** A parsed quantity. With `text` the spelling is canonical and preserved. */
export interface ReadQuantity {
  readonly amount: Amount;
  readonly format: QuantityFormat;
  readonly text?: string;
}

const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const NANO = -9;

/** Maximum number of zeros that parsing a large number writes out: it must not cost more than its length. */
const MAXIMUM_ZEROS = 512;

const MAXIMUM_EXPONENT = 2n ** 31n - 1n;

/**
 * Maximum length of a number: nothing is measured to a thousand digits, and the time to parse them grows
 * faster than their number.
 */
const MAXIMUM_DIGITS = 1000;

const MAXIMUM_BINARY: Amount = { value: 2n ** 63n - 1n, exponent: 0, small: false };
const ONE: Amount = { value: 1n, exponent: 0, small: false };

const WRONG_FORM =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_SUFFIX = "unable to parse quantity's suffix";
const WRONG_NUMBER = 'unable to parse numeric part of quantity';

/**
 * Sign, digits, decimal point and digits, and the rest. Accepts more than the pattern shown in the error:
 * `.5`, `+` and `m`.
 */
const PARTS = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(.*)$/s;
const SUFFIX = /^[eEinumkKMGTP]*[+-]?[0-9]*$/;

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

/** @throws ParseError with the recorded texts */
export function readQuantity(text: string): ReadQuantity {
  if (text === '') throw new ParseError(WRONG_FORM);
  if (text === '0') return { amount: { value: 0n, exponent: 0, small: true }, format: 'DecimalSI', text };
  const [, sign = '', whole = '', fraction = '', suffixText = ''] = PARTS.exec(text) ?? [];
  if (!SUFFIX.test(suffixText)) throw new ParseError(WRONG_FORM);
  const suffix = readSuffix(suffixText);
  const digits = whole.replace(/^0+/, '') || '0';
  if (digits.length + fraction.length > MAXIMUM_DIGITS) throw new ParseError(WRONG_NUMBER);
  const number: Spelled = { negative: sign === '-', whole: digits, fraction, any: whole + fraction !== '' };
  return readSmall(number, suffix, text) ?? readLarge(number, suffix);
}

interface Spelled {
  readonly negative: boolean;
  /** Without leading zeros; at least one digit. */
  readonly whole: string;
  readonly fraction: string;
  /** Whether the string has a digit at all. */
  readonly any: boolean;
}

function readSuffix(text: string): Suffix {
  const decimal = DECIMAL_SUFFIXES.indexOf(text);
  if (decimal >= 0) return { base: 10, exponent: (decimal - 3) * 3, format: 'DecimalSI' };
  const binary = BINARY_SUFFIXES.indexOf(text);
  if (binary > 0) return { base: 2, exponent: binary * 10, format: 'BinarySI' };
  const exponent = /^[eE]/.test(text) ? parseInt64(text.slice(1)) : undefined;
  if (exponent === undefined || exponent > MAXIMUM_EXPONENT || exponent < -MAXIMUM_EXPONENT) {
    throw new ParseError(WRONG_SUFFIX);
  }
  return { base: 10, exponent: Number(exponent), format: 'DecimalExponent' };
}

/** Numbers that fit 64 bits as they are spelled; canonical spellings of them are preserved. */
function readSmall(
  { negative, whole, fraction }: Spelled,
  suffix: Suffix,
  text: string,
): ReadQuantity | undefined {
  const { base, format } = suffix;
  if (digitsToSpare(whole, fraction, suffix) < 0) return undefined;
  const exponent = (base === 10 ? suffix.exponent : 0) - fraction.length;
  if (exponent < NANO) return undefined;
  const spelled = whole + fraction;
  const magnitude = BigInt(spelled);
  const value = base === 10 ? magnitude : magnitude << BigInt(suffix.exponent);
  if (!isInt64(value)) return undefined;
  const canonical =
    base === 2
      ? (magnitude & 7n) !== 0n
      : exponent % 3 === 0 && !spelled.endsWith('000') && !spelled.startsWith('0');
  const amount = { value: negative ? -value : value, exponent, small: true };
  return { amount, format, ...(canonical && { text }) };
}

/** How many more digits a number could have and still be small for sure; negative if it is not small. */
function digitsToSpare(whole: string, fraction: string, { base, exponent }: Suffix): number {
  if (base === 10) return 18 - whole.length - fraction.length;
  return fraction === '' ? 14 - whole.length - (exponent * 3) / 10 : -1;
}

function readLarge({ negative, whole, fraction, any }: Spelled, suffix: Suffix): ReadQuantity {
  // A suffix alone is zero if the number would be small; otherwise the digits are missing.
  if (!any) throw new ParseError(WRONG_NUMBER);
  const spelled = BigInt(whole + fraction);
  const value = suffix.base === 10 ? spelled : spelled << BigInt(suffix.exponent);
  const exponent = (suffix.base === 10 ? suffix.exponent : 0) - fraction.length;
  const exactly: Amount = { value, exponent, small: false };
  // Amounts below the smallest unit are rounded up to it, since they are not zero.
  const amount = value === 0n ? exactly : atExponent(exactly, NANO, MAXIMUM_ZEROS).amount;
  const capped =
    suffix.format === 'BinarySI' && compareAmounts(amount, MAXIMUM_BINARY) > 0 ? MAXIMUM_BINARY : amount;
  const isFraction = suffix.format === 'BinarySI' && signOf(capped) > 0 && compareAmounts(capped, ONE) < 0;
  return {
    amount: negative ? { ...capped, value: -capped.value } : capped,
    format: isFraction ? 'DecimalSI' : suffix.format,
  };
}

/** The canonical text: no fraction, and the largest suffix that leaves none. */
export function quantityText(amount: Amount, format: QuantityFormat): string {
  if (amount.value === 0n) return '0';
  const whole = format === 'BinarySI' ? binaryInteger(amount) : undefined;
  if (whole !== undefined) return binaryText(whole);
  return decimalFormText(amount, format === 'DecimalExponent');
}

/** The integer to print with a binary suffix; undefined if it is below 1024 or has a fraction. */
function binaryInteger(amount: Amount): bigint | undefined {
  const kibi: Amount = { value: 1024n, exponent: 0, small: false };
  const magnitude = { ...amount, value: amount.value < 0n ? -amount.value : amount.value };
  if (compareAmounts(magnitude, kibi) < 0) return undefined;
  const { amount: rounded, exact } = atExponent(amount, 0);
  return exact && rounded.exponent === 0 ? rounded.value : undefined;
}

function binaryText(whole: bigint): string {
  let value = whole;
  let suffix = 0;
  // There are no larger suffixes: the number stays longer.
  while (value % 1024n === 0n && suffix < BINARY_SUFFIXES.length - 1) {
    value /= 1024n;
    suffix++;
  }
  return `${value}${BINARY_SUFFIXES[suffix]}`;
}

function decimalFormText({ value, exponent }: Amount, withExponent: boolean): string {
  const digits = String(value);
  const trailing = digits.length - withoutTrailing(digits, '0').length;
  const exact = exponent + trailing;
  const thousands = Math.floor(exact / 3) * 3;
  const shown = withExponent ? thousands : Math.min(thousands, 18);
  const number = digits.slice(0, digits.length - trailing) + '0'.repeat(exact - shown);
  if (!withExponent) return `${number}${DECIMAL_SUFFIXES[shown / 3 + 3] ?? ''}`;
  return shown === 0 ? number : `${number}e${shown}`;
}
