import { jsonTypeError } from '../errors/json-type-error.ts';
import type { JsonValue } from '../json/json.ts';
import { withoutTrailing } from '../text/trailing.ts';
import { RFC3339_LAYOUT, RFC3339_MICRO_LAYOUT, readTime, type Timestamp } from './time-layout.ts';

/**
 * Parses a time of metadata (RFC 3339, semantics/metadata#fields). An offset is applied and a fraction is
 * preserved.
 *
 * @example timeText(parseTime('2024-01-02T03:04:05+02:00')) // 2024-01-02T01:04:05Z
 *
 * @throws ParseError that names the part that does not fit
 */
export function parseTime(text: string): Timestamp {
  const seconds = canonicalSeconds(text);
  return seconds === undefined ? readTime(text, RFC3339_LAYOUT) : { seconds, nanoseconds: 0 };
}

/** Seconds since 1970 of a time as `timeText` writes it, as nearly all are; undefined for all others. */
function canonicalSeconds(text: string): number | undefined {
  if (!CANONICAL_TIME.test(text)) return undefined;
  const milliseconds = Date.UTC(
    pairAt(text, 0) * 100 + pairAt(text, 2),
    pairAt(text, 5) - 1,
    pairAt(text, 8),
    pairAt(text, 11),
    pairAt(text, 14),
    pairAt(text, 17),
  );
  return milliseconds / 1000;
}

/** Days that every month has, in years that `Date.UTC` does not shift by 1900. */
const CANONICAL_TIME =
  /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
}

/**
 * Parses a time with exactly six fractional digits: `renewTime`, `eventTime` (semantics/metadata#fields).
 * @throws ParseError that names the part that does not fit
 */
export function parseMicroTime(text: string): Timestamp {
  return readTime(text, RFC3339_MICRO_LAYOUT);
}

/**
 * Parses the JSON form of a time; null is the unset time.
 * @throws ParseError
 */
export function fromJsonTime(value: JsonValue): Timestamp | undefined {
  return fromJson(value, parseTime);
}

/**
 * Parses the JSON form of a time with microseconds; null is the unset time.
 * @throws ParseError
 */
export function fromJsonMicroTime(value: JsonValue): Timestamp | undefined {
  return fromJson(value, parseMicroTime);
}

function fromJson(value: JsonValue, parse: (text: string) => Timestamp): Timestamp | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'string') throw jsonTypeError(value, 'string');
  return parse(value);
}

/** A time as metadata prints it: UTC, whole seconds. */
export function timeText({ seconds }: Timestamp): string {
  return `${dateText(seconds)}T${clockText(seconds)}Z`;
}

/** A time with six fractional digits; finer fractions are truncated. */
export function microTimeText({ seconds, nanoseconds }: Timestamp): string {
  const micros = String(Math.trunc(nanoseconds / 1000)).padStart(6, '0');
  return `${dateText(seconds)}T${clockText(seconds)}.${micros}Z`;
}

/** A time as error messages print it: `2001-01-01 00:00:00 +0000 UTC`. */
export function printedTime({ seconds, nanoseconds }: Timestamp): string {
  const fraction = nanoseconds === 0 ? '' : `.${withoutTrailing(String(nanoseconds).padStart(9, '0'), '0')}`;
  return `${dateText(seconds)} ${clockText(seconds)}${fraction} +0000 UTC`;
}

/** The first second of year 1. */
const ZERO_SECONDS = -62_135_596_800;

/** Whether a time is the first second of year 1, which stands for no time (semantics/metadata#fields). */
export function isZeroTime({ seconds, nanoseconds }: Timestamp): boolean {
  return seconds === ZERO_SECONDS && nanoseconds === 0;
}

/** Milliseconds since 1970 of a time. */
export function millisecondsOf({ seconds, nanoseconds }: Timestamp): number {
  return seconds * 1000 + Math.trunc(nanoseconds / 1_000_000);
}

/** The time that many milliseconds since 1970. */
export function timestampOf(milliseconds: number): Timestamp {
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanoseconds: Math.round((milliseconds - seconds * 1000) * 1_000_000) };
}

function dateText(seconds: number): string {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  const digits = String(Math.abs(year)).padStart(4, '0');
  return `${year < 0 ? '-' : ''}${digits}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;
}

function clockText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(twoDigits).join(':');
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
