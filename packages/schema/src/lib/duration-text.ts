import { goQuote } from '@ashlar/core';
import { TypedDecodeError } from './typed-decode-error.ts';

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const PART = /(\d*)(?:\.(\d*))?([^\d.]*)/y;
const MAXIMUM = 1n << 63n;

/**
 * A duration as it is printed: `90m` becomes `1h30m0s` (semantics B1).
 * @throws TypedDecodeError `time: invalid duration "x"` and its kin
 */
export function canonicalDuration(text: string): string {
  return durationText(parseNanoseconds(text));
}

function parseNanoseconds(text: string): bigint {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  if (text.slice(sign.length) === '0') return 0n;
  if (text === sign) fail('invalid duration', text);
  let total = 0n;
  for (let at = sign.length; at < text.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    total += partOf(PART.exec(text) as RegExpExecArray, text);
    if (total > MAXIMUM) fail('invalid duration', text);
  }
  if (sign === '-') return -total;
  return total === MAXIMUM ? fail('invalid duration', text) : total;
}

function partOf([, whole = '', fraction, unit = '']: RegExpExecArray, text: string): bigint {
  if (whole === '' && (fraction ?? '') === '') fail('invalid duration', text);
  if (unit === '') fail('missing unit in duration', text);
  const scale = UNITS.get(unit);
  if (scale === undefined) fail(`unknown unit ${goQuote(unit)} in duration`, text);
  const digits = (fraction ?? '').slice(0, 18);
  const value = BigInt(whole || '0') * scale;
  return value + (BigInt(digits || '0') * scale) / 10n ** BigInt(digits.length);
}

function fail(what: string, text: string): never {
  throw new TypedDecodeError(`time: ${what} ${goQuote(text)}`);
}

function durationText(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  return sign + (size < 1_000_000_000n ? smallText(size) : largeText(size));
}

function smallText(size: bigint): string {
  if (size < 1_000n) return `${size}ns`;
  if (size < 1_000_000n) return `${decimal(size, 1_000n, 3)}µs`;
  return `${decimal(size, 1_000_000n, 6)}ms`;
}

function largeText(size: bigint): string {
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 1_000_000_000n, 9)}s`;
  if (minutes === 0n) return seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${minutes}m${seconds}` : `${hours}h${minutes % 60n}m${seconds}`;
}

function decimal(size: bigint, unit: bigint, digits: number): string {
  const fraction = (size % unit).toString().padStart(digits, '0').replace(/0+$/, '');
  return fraction === '' ? `${size / unit}` : `${size / unit}.${fraction}`;
}
