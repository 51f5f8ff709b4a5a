import { millisecondsOf, parseTime } from './time.ts';

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;

/**
 * A duration in two or three digits for people, as ages in tables are printed (semantics E6).
 * @param nanoseconds below minus one second it is `<invalid>`: the clocks disagree
 *
 * @example humanDuration(90_000_000_000n) // 90s
 */
export function humanDuration(nanoseconds: bigint): string {
  const soon = underTwoMinutes(nanoseconds);
  if (soon !== undefined) return soon;
  const minutes = nanoseconds / MINUTE;
  if (minutes < 10n) return `${minutes}m${orNothing((nanoseconds / SECOND) % 60n, 's')}`;
  if (minutes < 180n) return `${minutes}m`;
  const hours = nanoseconds / HOUR;
  if (hours < 8n) return `${hours}h${orNothing(minutes % 60n, 'm')}`;
  if (hours < 48n) return `${hours}h`;
  const days = hours / 24n;
  if (days < 8n) return `${days}d${orNothing(hours % 24n, 'h')}`;
  if (days < 730n) return `${days}d`;
  const years = days / 365n;
  return years < 8n ? `${years}y${orNothing(days % 365n, 'd')}` : `${years}y`;
}

const orNothing = (value: bigint, unit: string): string => (value === 0n ? '' : `${value}${unit}`);

function underTwoMinutes(nanoseconds: bigint): string | undefined {
  const seconds = wholeUnits(nanoseconds, SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  return seconds < 120 ? `${seconds}s` : undefined;
}

/**
 * A duration in its largest unit: `3h`, `2d`.
 * @param nanoseconds below minus one second it is `<invalid>`
 */
export function shortHumanDuration(nanoseconds: bigint): string {
  const seconds = wholeUnits(nanoseconds, SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 60) return `${seconds}s`;
  const minutes = wholeUnits(nanoseconds, MINUTE);
  if (minutes < 60) return `${minutes}m`;
  const hours = wholeUnits(nanoseconds, HOUR);
  if (hours < 24) return `${hours}h`;
  if (hours < 24 * 365) return `${Math.trunc(hours / 24)}d`;
  return `${Math.trunc(units(nanoseconds, HOUR) / 24 / 365)}y`;
}

/** In floating point, as other implementations count: a nanosecond short of a year rounds to the year. */
function units(nanoseconds: bigint, unit: bigint): number {
  return Number(nanoseconds / unit) + Number(nanoseconds % unit) / Number(unit);
}

const wholeUnits = (nanoseconds: bigint, unit: bigint): number => Math.trunc(units(nanoseconds, unit));

/**
 * The age of something as tables print it; `<unknown>` where the time is absent or none.
 * @param since a time of metadata
 * @param now milliseconds since 1970
 */
export function ageText(since: string | null | undefined, now: number): string {
  if (!since) return '<unknown>';
  try {
    return humanDuration(BigInt(Math.trunc(now - millisecondsOf(parseTime(since)))) * 1_000_000n);
  } catch {
    return '<unknown>';
  }
}

const MILLISECONDS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/**
 * When `ageText` may next say something else, in milliseconds since 1970: it counts seconds for ten minutes, minutes for eight hours,
 * hours for eight days, then days. Infinity where the time is absent or none.
 * @param since a time of metadata
 * @param now milliseconds since 1970
 */
export function ageChangesAt(since: string | null | undefined, now: number): number {
  const start = since ? startOf(since) : Number.NaN;
  if (Number.isNaN(start)) return Number.POSITIVE_INFINITY;
  const age = now - start;
  if (age < 0) return now;
  const unit = unitOf(age);
  return start + (Math.floor(age / unit) + 1) * unit;
}

function startOf(since: string): number {
  try {
    return millisecondsOf(parseTime(since));
  } catch {
    return Number.NaN;
  }
}

/** The smallest unit in which an age of so many milliseconds is told. */
function unitOf(age: number): number {
  const { second, minute, hour, day } = MILLISECONDS;
  if (age < 10 * minute) return second;
  if (age < 8 * hour) return minute;
  return age < 8 * day ? hour : day;
}
