import { jsonTypeError } from '../errors/json-type-error.ts';
import { ParseError } from '../errors/parse-error.ts';
import type { JsonValue } from '../json/json.ts';
import { withoutTrailing } from '../text/trailing.ts';
import { quoteTime } from './time-layout.ts';

const LIMIT = 2n ** 63n;

/** Maximum length of a duration: no real duration has ten thousand characters, and parsing them takes time. */
export const MAXIMUM_DURATION_LENGTH = 10_000;

/** Nanoseconds of each unit. The two signs for micro are different characters. */
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/**
 * Parses a duration into nanoseconds: numbers with units, `1h30m`, `1.5s`, `-20ms`, or `0`
 * (semantics/metadata#fields).
 *
 * @example durationText(parseDuration('90m')) // 1h30m0s
 *
 * @throws ParseError for other strings, for durations beyond 64 bits of nanoseconds and for more than ten
 * thousand characters
 */
export function parseDuration(text: string): bigint {
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 0n;
  if (unsigned === '' || text.length > MAXIMUM_DURATION_LENGTH) throw invalid(text);
  let total = 0n;
  let rest = unsigned;
  while (rest !== '') {
    const term = readTerm(rest, text);
    total += term.nanoseconds;
    if (total > LIMIT) throw invalid(text);
    rest = term.rest;
  }
  if (text.startsWith('-')) return -total;
  if (total === LIMIT) throw invalid(text);
  return total;
}

const invalid = (text: string): ParseError => new ParseError(`time: invalid duration ${quoteTime(text)}`);

/** One number with its unit. */
function readTerm(rest: string, text: string): { nanoseconds: bigint; rest: string } {
  const [, whole = '', point = '', fraction = '', name = ''] =
    /^([0-9]*)(\.?)([0-9]*)([^.0-9]*)/.exec(rest) ?? [];
  if (whole === '' && fraction === '') throw invalid(text);
  const value = parseDigits(whole);
  if (value === undefined) throw invalid(text);
  if (name === '') throw new ParseError(`time: missing unit in duration ${quoteTime(text)}`);
  const unit = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
  if (!unit) throw new ParseError(`time: unknown unit ${quoteTime(name)} in duration ${quoteTime(text)}`);
  if (value > LIMIT / unit) throw invalid(text);
  const nanoseconds = value * unit + fractionOf(fraction, unit);
  if (nanoseconds > LIMIT) throw invalid(text);
  return { nanoseconds, rest: rest.slice(whole.length + point.length + fraction.length + name.length) };
}

function parseDigits(digits: string): bigint | undefined {
  const significant = digits.replace(/^0+/, '');
  if (significant.length > 19) return undefined;
  const value = BigInt(significant || '0');
  return value > LIMIT ? undefined : value;
}

/**
 * The fraction of a unit after the decimal point. Computed in floating point, as other implementations do:
 * results must agree.
 */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    if (value > (LIMIT - 1n) / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > LIMIT) break;
    value = next;
    scale *= 10;
  }
  return value === 0n ? 0n : BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** A duration in the form `1h30m0s`; below one second in the largest unit that fits: `1.5ms`. */
export function durationText(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 0n) return `-${durationText(-nanoseconds)}`;
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${decimal(nanoseconds, 1_000n)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${decimal(nanoseconds, 1_000_000n)}ms`;
  const minutes = nanoseconds / 60_000_000_000n;
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, unit: bigint): string {
  const digits = String(unit).length - 1;
  const fraction = withoutTrailing(String(value % unit).padStart(digits, '0'), '0');
  return fraction === '' ? String(value / unit) : `${value / unit}.${fraction}`;
}

/**
 * Parses the JSON form of a duration.
 * @throws ParseError
 */
export function fromJsonDuration(value: JsonValue): bigint {
  if (value !== null && typeof value !== 'string') throw jsonTypeError(value, 'string');
  return parseDuration(value ?? '');
}
