import { ParseError, parseDuration, piecesOf, type Steps, trimSpace } from '@ashlar/core';
import { locationError } from './time-zone.ts';

/** The range of one of the five fields of a schedule. */
interface Bounds {
  readonly lowest: number;
  readonly highest: number;
  readonly names: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly Bounds[] = [
  { lowest: 0, highest: 59, names: [] },
  { lowest: 0, highest: 23, names: [] },
  { lowest: 1, highest: 31, names: [] },
  { lowest: 1, highest: 12, names: MONTHS },
  { lowest: 0, highest: 6, names: DAYS },
];

const DESCRIPTORS: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);

/**
 * The error of a schedule of five fields (minute, hour, day of the month, month, day of the week), or of a
 * descriptor such as `@daily` or `@every 1h`; undefined if it is valid. It pauses: a field may be a million numbers.
 */
export function* scheduleErrorSteps(schedule: string): Steps<string | undefined> {
  if (schedule === '') return 'empty spec string';
  const [zone = '', location] = LOCATION.exec(schedule) ?? [];
  const why = location ? locationError(location) : undefined;
  if (why !== undefined) return `provided bad location ${location}: ${why}`;
  const text = zone === '' ? schedule : trimSpace(schedule.slice(zone.length));
  if (text.startsWith('@')) return descriptorError(text);
  const fields = yield* wordsSteps(text);
  if (fields.length !== FIELDS.length)
    return `expected exactly 5 fields, found ${fields.length}: [${yield* joinedSteps(fields)}]`;
  for (const [index, bounds] of FIELDS.entries()) {
    const error = yield* fieldErrorSteps(fields[index] ?? '', bounds);
    if (error) return error;
  }
  return undefined;
}

/** A time zone before the fields. */
const LOCATION = /^(?:CRON_)?TZ=([^ ]*) /;

/** Words and numbers between two pauses. */
const STRIDE = 1024;
const WORD = /\S+/g;

function* wordsSteps(text: string): Steps<readonly string[]> {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    words.push(word);
    if (words.length % STRIDE === 0) yield;
  }
  return words;
}

function* joinedSteps(words: readonly string[]): Steps<string> {
  const parts: string[] = [];
  for (let at = 0; at < words.length; at += STRIDE) {
    parts.push(words.slice(at, at + STRIDE).join(' '));
    yield;
  }
  return parts.join(' ');
}

const EVERY = '@every ';

function descriptorError(text: string): string | undefined {
  if (!text.startsWith(EVERY)) return DESCRIPTORS.has(text) ? undefined : `unrecognized descriptor: ${text}`;
  try {
    parseDuration(text.slice(EVERY.length));
    return undefined;
  } catch (error) {
    if (ParseError.is(error)) return `failed to parse duration ${text}: ${error.message}`;
    throw error;
  }
}

function* fieldErrorSteps(field: string, bounds: Bounds): Steps<string | undefined> {
  let index = 0;
  for (const part of piecesOf(field, ',')) {
    const error = isPlain(part, bounds) ? undefined : rangeError(part, bounds);
    if (error) return error;
    if (++index % STRIDE === 0) yield;
  }
  return undefined;
}

/** One or two digits: a field may be a million of them, but not of any other parts. */
function isPlain(text: string, { lowest, highest }: Bounds): boolean {
  if (text.length === 0 || text.length > 2) return false;
  const value = Number(text);
  return value >= lowest && value <= highest && DIGITS.test(text);
}

const DIGITS = /^\d+$/;

/** One of the comma-separated parts: any, a number or a range, with a step after a slash. */
function rangeError(text: string, bounds: Bounds): string | undefined {
  const [range = '', step, more] = text.split('/', 3);
  if (more !== undefined) return `too many slashes: ${text}`;
  const [first = '', last, other] = range.split('-', 3);
  if (other !== undefined) return `too many hyphens: ${text}`;
  const isAny = first === '*' || first === '?';
  const start = isAny ? bounds.lowest : numberOf(first, bounds);
  const end = isAny ? bounds.highest : last === undefined ? start : numberOf(last, bounds);
  if (typeof start === 'string') return start;
  if (typeof end === 'string') return end;
  return stepError(text, step) ?? boundError(text, start, end, bounds);
}

function numberOf(text: string, { names }: Bounds): number | string {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return names === MONTHS ? named + 1 : named;
  if (/^-\d+$/.test(text)) return `negative number (${text}) not allowed: ${text}`;
  return /^\d+$/.test(text)
    ? Number(text)
    : `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`;
}

function stepError(text: string, step: string | undefined): string | undefined {
  if (step === undefined) return undefined;
  if (!/^\d+$/.test(step))
    return `failed to parse int from ${step}: strconv.Atoi: parsing "${step}": invalid syntax`;
  return Number(step) === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

function boundError(
  text: string,
  start: number,
  end: number,
  { lowest, highest }: Bounds,
): string | undefined {
  if (start < lowest) return `beginning of range (${start}) below minimum (${lowest}): ${text}`;
  if (end > highest) return `end of range (${end}) above maximum (${highest}): ${text}`;
  return start > end ? `beginning of range (${start}) beyond end of range (${end}): ${text}` : undefined;
}
