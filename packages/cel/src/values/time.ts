import { isDay, ParseError, RFC3339_LAYOUT, readZonedTime, startOfDay, type TimeLayout } from '@ashlar/core';
import { work } from '../cost/work.ts';
import { Duration, EvaluationError, Timestamp } from './values.ts';

const NANOS_PER_SECOND = 1_000_000_000n;
const LONGEST = 2n ** 63n - 1n;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

/** Nanoseconds of a duration. */
export function durationNanos(duration: Duration): bigint {
  return BigInt(duration.seconds) * NANOS_PER_SECOND + BigInt(duration.nanos);
}

/** A duration of that many nanoseconds; undefined if they do not fit 64 bits. */
function durationFromNanos(nanos: bigint): Duration | undefined {
  return nanos > LONGEST || nanos < -LONGEST - 1n ? undefined : durationOf(nanos);
}

/** A duration of that many nanoseconds, which fit 64 bits. */
export function durationOf(nanos: bigint): Duration {
  return new Duration(Number(nanos / NANOS_PER_SECOND), Number(nanos % NANOS_PER_SECOND));
}

const UNIT_NANOS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: NANOS_PER_SECOND,
  m: 60n * NANOS_PER_SECOND,
  h: 3600n * NANOS_PER_SECOND,
};
/** One unit and an integer, as durations are mostly written. */
const PLAIN_DURATION = /^(\d{1,9})([smh])$/;
const PLAIN_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Parses a duration such as `1h30m` or `-1.5s`; undefined if it is invalid or exceeds 64 bits of nanoseconds. */
export function parseDuration(text: string): Duration | undefined {
  const plain = PLAIN_DURATION.exec(text);
  if (plain) {
    const seconds = Number(plain[1]) * (PLAIN_SECONDS[plain[2] as string] as number);
    if (seconds < 9_000_000_000) return new Duration(seconds, 0);
  }
  if (text === '0' || text === '+0' || text === '-0') return new Duration(0, 0);
  if (text.length > MAXIMUM_DURATION_LENGTH) return undefined;
  work(text.length * DURATION_STEPS);
  const negative = text.startsWith('-');
  const nanos = sumOfParts(text, negative || text.startsWith('+') ? 1 : 0);
  return nanos === undefined ? undefined : durationFromNanos(negative ? -nanos : nanos);
}

/** Steps per character of a duration. */
const DURATION_STEPS = 40;
/** Maximum length of the text of a duration; no real one is longer. */
const MAXIMUM_DURATION_LENGTH = 1000;
/** Units that start with another unit come first. */
const UNITS = ['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h'];

/** Nanoseconds of the parts from a position on, each a number and a unit; undefined for anything else. */
function sumOfParts(text: string, start: number): bigint | undefined {
  let nanos = 0n;
  for (let position = start; position < text.length || position === start; ) {
    const point = digitsEnd(text, position);
    const end = text[point] === '.' ? digitsEnd(text, point + 1) : point;
    const unit = UNITS.find((name) => text.startsWith(name, end));
    const fraction = text.slice(point + 1, end);
    const whole = text.slice(position, point);
    if (unit === undefined || whole + fraction === '') return undefined;
    nanos += partNanos(whole, fraction, UNIT_NANOS[unit] as bigint);
    position = end + unit.length;
  }
  return nanos;
}

function digitsEnd(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

function partNanos(whole: string, fraction: string, unit: bigint): bigint {
  const nanos = BigInt(whole || '0') * unit;
  return fraction === '' ? nanos : nanos + (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
}

/** A duration in seconds, as `string()` writes it: `3723.004s`. */
export function durationText(duration: Duration): string {
  const negative = duration.seconds < 0 || duration.nanos < 0;
  const seconds = `${Math.abs(duration.seconds)}${fractionText(Math.abs(duration.nanos))}`;
  return `${negative ? '-' : ''}${seconds}s`;
}

/** Nanoseconds as fraction digits, as many as needed; empty for none. */
function fractionText(nanos: number): string {
  if (nanos === 0) return '';
  let digits = nanos;
  let length = 9;
  for (; digits % 10 === 0; length--) digits /= 10;
  return `.${String(digits).padStart(length, '0')}`;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Steps of reading a timestamp of usual length. */
const TIMESTAMP_STEPS = 600;

/** Parses an RFC 3339 timestamp; undefined if it is invalid or outside the years 1 to 9999. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const found = parseAnyTimestamp(text);
  return found && isInYears(found.seconds) ? found : undefined;
}

/** The same in any year, and as lenient as other implementations. */
export function parseAnyTimestamp(text: string): Timestamp | undefined {
  return parseStrictTimestamp(text) ?? lenientTimestamp(text);
}

/** Parses a timestamp of all its digits, in any year; undefined if it is invalid. */
export function parseStrictTimestamp(text: string): Timestamp | undefined {
  work(TIMESTAMP_STEPS + text.length * 4);
  const found = RFC3339.exec(text);
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number, number, number, number, number, number,
  ]; // biome-ignore format: six numbers
  if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 59) {
    return undefined;
  }
  const offset = zoneOffset(found[8] as string);
  if (offset === undefined) return undefined;
  const nanos = Number((found[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return new Timestamp(epochSeconds(year, month, day, hour, minute, second) - offset, nanos, offset);
}

function lenientTimestamp(text: string): Timestamp | undefined {
  try {
    return readTimestamp(text, RFC3339_LAYOUT);
  } catch (error) {
    if (!ParseError.is(error)) throw error;
    return undefined;
  }
}

/**
 * A timestamp in any year, by its layout.
 * @throws ParseError that names the part that does not fit
 */
export function readTimestamp(text: string, layout: TimeLayout): Timestamp {
  const { seconds, nanoseconds, offset } = readZonedTime(text, layout);
  return new Timestamp(seconds, nanoseconds, offset);
}

function epochSeconds(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  return startOfDay(year, month, day) / 1000 + hour * 3600 + minute * 60 + second;
}

function zoneOffset(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone[0] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/** A timestamp, or undefined outside the years 1 to 9999. */
export function timestampOf(seconds: number, nanos: number, offset: number = 0): Timestamp | undefined {
  return isInYears(seconds) ? new Timestamp(seconds, nanos, offset) : undefined;
}

const isInYears = (seconds: number): boolean => seconds >= FIRST_SECOND && seconds <= LAST_SECOND;

const PLAIN_DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Midnight of a day written `2006-01-02`. */
export function parseDate(text: string): Timestamp | undefined {
  return PLAIN_DATE.test(text) ? parseStrictTimestamp(`${text}T00:00:00Z`) : undefined;
}

/** Prints a timestamp as RFC 3339 in its original zone, with as many fraction digits as needed. */
export function timestampText({ seconds, nanos, offset }: Timestamp): string {
  const whole = new Date((seconds + offset) * 1000).toISOString().slice(0, 19);
  return `${whole}${fractionText(nanos)}${offsetText(offset)}`;
}

function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(offset) / 60;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Adds a duration to a timestamp; an error outside the years 1 to 9999. */
export function addDuration(
  timestamp: Timestamp,
  duration: Duration,
  sign: 1 | -1,
): Timestamp | EvaluationError {
  let seconds = timestamp.seconds + sign * duration.seconds;
  let nanos = timestamp.nanos + sign * duration.nanos;
  if (nanos < 0) {
    nanos += 1_000_000_000;
    seconds--;
  } else if (nanos >= 1_000_000_000) {
    nanos -= 1_000_000_000;
    seconds++;
  }
  return timestampOf(seconds, nanos, timestamp.offset) ?? new EvaluationError('timestamp overflow');
}

/** Sum (or difference) of two durations, or an error if it does not fit. */
export function sumDurations(a: Duration, b: Duration, sign: 1 | -1): Duration | EvaluationError {
  const nanos = durationNanos(a) + BigInt(sign) * durationNanos(b);
  return durationFromNanos(nanos) ?? new EvaluationError('duration overflow');
}

/** The duration between two timestamps, or an error if it does not fit. */
export function timeBetween(later: Timestamp, earlier: Timestamp): Duration | EvaluationError {
  const nanos =
    BigInt(later.seconds - earlier.seconds) * NANOS_PER_SECOND + BigInt(later.nanos - earlier.nanos);
  return durationFromNanos(nanos) ?? new EvaluationError('duration overflow');
}

const FIXED_OFFSET = /^([+-]?)(\d{1,2}):(\d{1,2})$/;
/** Engines differ in whether they know `+0530` as a zone. No name of a zone begins so. */
const OTHER_OFFSET = /^[+-]/;

/** The timestamp in a time zone, as a Date whose UTC fields are to be read; undefined for an unknown zone. */
export function inZone(timestamp: Timestamp, zone: string): Date | undefined {
  const milliseconds = timestamp.seconds * 1000 + Math.floor(timestamp.nanos / 1e6);
  if (zone === '' || zone === 'UTC') return new Date(milliseconds);
  const fixed = FIXED_OFFSET.exec(zone);
  if (fixed) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return new Date(milliseconds + (fixed[1] === '-' ? -minutes : minutes) * 60_000);
  }
  return OTHER_OFFSET.test(zone) ? undefined : inNamedZone(milliseconds, zone);
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** Maximum number of cached zones: more than exist, in one spelling each. */
const MAXIMUM_CACHED_ZONES = 1000;
/** Steps of looking up a zone, and of converting a timestamp. */
const ZONE_STEPS = { make: 50_000, ask: 20_000 };
/** Maximum length of the name of a zone. */
const MAXIMUM_ZONE_LENGTH = 100;

function inNamedZone(milliseconds: number, zone: string): Date | undefined {
  const format = zoneFormat(zone);
  if (!format) return undefined;
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(milliseconds)) part[type] = Number(value);
  const seconds = epochSeconds(
    part.year as number, part.month as number, part.day as number,
    part.hour, part.minute, part.second,
  ); // biome-ignore format: six numbers
  return new Date(seconds * 1000 + (((milliseconds % 1000) + 1000) % 1000));
}

function zoneFormat(zone: string): Intl.DateTimeFormat | undefined {
  work(ZONE_STEPS.ask);
  const cached = formats.get(zone);
  if (cached) return cached;
  if (zone.length > MAXIMUM_ZONE_LENGTH) return undefined;
  work(ZONE_STEPS.make);
  try {
    const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    if (formats.size >= MAXIMUM_CACHED_ZONES) formats.clear();
    formats.set(zone, format);
    return format;
  } catch {
    return undefined;
  }
}
