import { microTimeText, parseTime, type Timestamp, timeText } from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';

const MAXIMUM_DATE_SECONDS = 8.64e12;

/**
 * Parses an RFC 3339 time. Fractions are truncated to microseconds, or removed.
 * @throws ParseError for other texts
 */
export function readTime(text: string, micro: boolean): Timestamp {
  const { seconds, nanoseconds } = parseTime(text);
  return { seconds, nanoseconds: micro ? nanoseconds - (nanoseconds % 1000) : 0 };
}

/**
 * Prints a time in UTC: whole seconds, or always six fraction digits.
 * @throws DecodeError for a time outside the range of dates
 */
export function printTime(time: Timestamp, micro: boolean): string {
  const { seconds } = time;
  if (Math.abs(seconds) > MAXIMUM_DATE_SECONDS) throw new DecodeError(`time out of range: ${seconds} s`);
  return micro ? microTimeText(time) : timeText(time);
}
