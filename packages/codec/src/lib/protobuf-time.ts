import { DecodeError } from './decode-error.ts';

/** Seconds since 1970 and what is left in nanoseconds. */
export interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

/** The first second of year 1, which stands for no time at all. */
export const ZERO_TIME_SECONDS: number = -62_135_596_800;

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;
const LARGEST_DATE_SECONDS = 8.64e12;

/**
 * Reads a time of RFC 3339. Fractions are cut to microseconds, or left out altogether.
 * @throws TypeError for other texts
 */
export function parseTime(text: string, micro: boolean): Timestamp {
  const [, local, fraction = '', zone] = TIME.exec(text) ?? [];
  const seconds = Date.parse(`${local}${zone}`) / 1000;
  if (!Number.isInteger(seconds)) throw new TypeError(`no time of RFC 3339: ${text}`);
  return { seconds, nanos: micro ? Number(fraction.slice(0, 6).padEnd(6, '0')) * 1000 : 0 };
}

/** Prints a time in UTC: whole seconds, or always six digits of a second. */
export function printTime({ seconds, nanos }: Timestamp, micro: boolean): string {
  if (Math.abs(seconds) > LARGEST_DATE_SECONDS) throw new DecodeError(`time out of range: ${seconds} s`);
  const date = new Date(seconds * 1000);
  const tail = date.toISOString().slice(-20, -5);
  const year = date.getUTCFullYear();
  const sign = year < 0 ? '-' : '';
  const fraction = micro ? `.${String(Math.floor(nanos / 1000)).padStart(6, '0')}` : '';
  return `${sign}${String(Math.abs(year)).padStart(4, '0')}${tail}${fraction}Z`;
}
