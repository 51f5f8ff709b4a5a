import { millisecondsOf, parseTime } from './time.ts';

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;

/**
 * A duration in two or three digits, as tables print ages (semantics/tables#ages).
 * @param nanoseconds below minus one second it is `<invalid>`: the clocks disagree
 *
 * @example humanDuration(90_000_000_000n) // 90s
 */
export function humanDuration(nanoseconds: bigint): string {
  const seconds = truncatedUnits(nanoseconds, SECOND);
  return seconds < 120 ? underTwoMinutes(seconds) : overTwoMinutes(Number(nanoseconds / SECOND));
}

function underTwoMinutes(seconds: number): string {
  if (seconds < -1) return '<invalid>';
  return seconds < 0 ? '0s' : `${seconds}s`;
}

function overTwoMinutes(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return `${minutes}m${orNothing(seconds % 60, 's')}`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return `${hours}h${orNothing(minutes % 60, 'm')}`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return `${days}d${orNothing(hours % 24, 'h')}`;
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? `${years}y${orNothing(days % 365, 'd')}` : `${years}y`;
}

const orNothing = (value: number, unit: string): string => (value === 0 ? '' : `${value}${unit}`);

/**
 * A duration in its largest unit: `3h`, `2d`.
 * @param nanoseconds below minus one second it is `<invalid>`
 */
export function shortHumanDuration(nanoseconds: bigint): string {
  const seconds = truncatedUnits(nanoseconds, SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 60) return `${seconds}s`;
  const minutes = truncatedUnits(nanoseconds, MINUTE);
  if (minutes < 60) return `${minutes}m`;
  const hours = truncatedUnits(nanoseconds, HOUR);
  if (hours < 24) return `${hours}h`;
  if (hours < 24 * 365) return `${Math.trunc(hours / 24)}d`;
  return `${Math.trunc(units(nanoseconds, HOUR) / 24 / 365)}y`;
}

/** In floating point, as other implementations count: a nanosecond short of a year rounds to the year. */
function units(nanoseconds: bigint, unit: bigint): number {
  return Number(nanoseconds / unit) + Number(nanoseconds % unit) / Number(unit);
}

const truncatedUnits = (nanoseconds: bigint, unit: bigint): number => Math.trunc(units(nanoseconds, unit));

/**
 * The age of something as tables print it; `<unknown>` if the time is absent or invalid.
 * @param since a time of metadata
 * @param now milliseconds since 1970
 */
export function ageText(since: string | null | undefined, now: number): string {
  return ageTextSince(ageStart(since), now);
}

/** A time of metadata in milliseconds since 1970; NaN if it is absent or invalid. */
export function ageStart(since: string | null | undefined): number {
  if (!since) return Number.NaN;
  try {
    return millisecondsOf(parseTime(since));
  } catch {
    return Number.NaN;
  }
}

/**
 * As {@link ageText}, of a time that is already parsed.
 * @param start as `ageStart` returns it
 */
export function ageTextSince(start: number, now: number): string {
  if (Number.isNaN(start)) return '<unknown>';
  const seconds = Math.trunc(Math.trunc(now - start) / MILLISECONDS.second);
  return seconds < 120 ? underTwoMinutes(seconds) : overTwoMinutes(seconds);
}

const MILLISECONDS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/**
 * When `ageText` may next change, in milliseconds since 1970: it counts seconds for ten minutes, minutes for
 * eight hours, hours for eight days, then days. Infinity if there is no time.
 * @param start as `ageStart` returns it
 * @param now milliseconds since 1970
 */
export function ageChangesAt(start: number, now: number): number {
  if (Number.isNaN(start)) return Number.POSITIVE_INFINITY;
  const age = now - start;
  if (age < 0) return now;
  const unit = unitOf(age);
  return start + (Math.floor(age / unit) + 1) * unit;
}

/** Returns the smallest unit in the text of an age of that many milliseconds. */
function unitOf(age: number): number {
  const { second, minute, hour, day } = MILLISECONDS;
  if (age < 10 * minute) return second;
  if (age < 8 * hour) return minute;
  return age < 8 * day ? hour : day;
}
