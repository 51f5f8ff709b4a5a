import { isDate, isZeroTime, microTimeText, parseMicroTime, parseTime, timeText } from '@ashlar/core';

const CANONICAL = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{6})?Z$/;
const SECONDS_LENGTH = 20;
const MICRO_LENGTH = 27;

/**
 * Normalizes a time as metadata prints it: UTC, whole seconds; null for the zero time
 * (semantics/metadata#fields). An offset is accepted, a fraction is truncated.
 * @throws ParseError that names the first part that does not fit
 */
export function canonicalTime(text: string): string | null {
  if (isCanonical(text, SECONDS_LENGTH)) return text;
  const time = parseTime(text);
  return isZeroTime(time) ? null : timeText(time);
}

/**
 * Normalizes a time with six fraction digits, which the input needs too; null for the zero time.
 * @throws ParseError that names the first part that does not fit
 */
export function canonicalMicroTime(text: string): string | null {
  if (isCanonical(text, MICRO_LENGTH)) return text;
  const time = parseMicroTime(text);
  return isZeroTime(time) ? null : microTimeText(time);
}

/** Nearly all received times were printed by a server before and need no parsing. */
const isCanonical = (text: string, length: number): boolean =>
  text.length === length && CANONICAL.test(text) && !text.startsWith('0001') && isDate(text.slice(0, 10));
