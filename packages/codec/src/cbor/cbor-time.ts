import { ParseError, parseTime, type Timestamp, timeText } from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';

/** Seconds at which year 0 begins and year 9999 ends: other times have no text. */
const FIRST_SECOND = -62_167_219_200;
const LAST_SECOND = 253_402_300_799;

/**
 * Normalizes a time text (tag 0): its offset is kept, its fraction has no trailing zeros.
 * @throws DecodeError
 */
export function timeOfText(text: string): string {
  const [offset, zone] = offsetOf(text);
  try {
    const { seconds, nanoseconds } = parseTime(text);
    return printed({ seconds: seconds + offset, nanoseconds }, zone);
  } catch (error) {
    if (!ParseError.is(error)) throw error;
    throw new DecodeError(`cbor: cannot set ${text} for time.Time: ${error.message}`, error);
  }
}

/**
 * Converts seconds since 1970 (tag 1) to a time text in UTC.
 * @throws DecodeError if the year does not have four digits
 */
export function timeOfSeconds(value: number): string {
  const whole = Math.trunc(value);
  const nanoseconds = Math.trunc((value - whole) * 1e9);
  return printed(
    nanoseconds < 0
      ? { seconds: whole - 1, nanoseconds: nanoseconds + 1_000_000_000 }
      : { seconds: whole, nanoseconds },
    'Z',
  );
}

/** The offset at the end of a time text, in seconds and as printed. */
function offsetOf(text: string): readonly [seconds: number, zone: string] {
  const [zone, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const seconds = (Number(hours) * 60 + Number(minutes)) * 60;
  if (zone === undefined || seconds === 0) return [0, 'Z'];
  return [sign === '-' ? -seconds : seconds, zone];
}

function printed(time: Timestamp, zone: string): string {
  const { seconds, nanoseconds } = time;
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND))
    throw unprintable('year outside of range [0,9999]');
  if (Number(zone.slice(1, 3)) > 23) throw unprintable('timezone hour outside of range [0,23]');
  return `${timeText(time).slice(0, -1)}${fractionText(nanoseconds)}${zone}`;
}

/** Without trailing zeros. */
function fractionText(nanoseconds: number): string {
  if (nanoseconds === 0) return '';
  const digits = String(nanoseconds).padStart(9, '0');
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end--;
  return `.${digits.slice(0, end)}`;
}

function unprintable(why: string): DecodeError {
  return new DecodeError(
    `cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: ${why}`,
  );
}
