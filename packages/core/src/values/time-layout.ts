import { ParseError } from '../errors/parse-error.ts';
import { excerpt } from '../text/excerpt.ts';
import { isDay, startOfDay } from './calendar.ts';

/** A time: seconds since 1970-01-01T00:00:00Z and the nanoseconds after them (0 to 999,999,999). */
export interface Timestamp {
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** A time with the offset of its zone from UTC, in seconds. */
export interface ZonedTime extends Timestamp {
  readonly offset: number;
}

/** Layouts by example, as error texts name them. */
export const RFC3339_LAYOUT = '2006-01-02T15:04:05Z07:00';
export const RFC3339_MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';
export const LOCAL_TIME_LAYOUT = '2006-01-02T15:04:05';
export const DATE_LAYOUT = '2006-01-02';

/** A layout by example. */
export type TimeLayout =
  | typeof RFC3339_LAYOUT
  | typeof RFC3339_MICRO_LAYOUT
  | typeof LOCAL_TIME_LAYOUT
  | typeof DATE_LAYOUT;

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone' | 'literal';

interface Element {
  readonly part: Part;
  readonly layout: string;
}

const literal = (layout: string): Element => ({ part: 'literal', layout });

const DATE: readonly Element[] = [
  { part: 'year', layout: '2006' },
  literal('-'),
  { part: 'month', layout: '01' },
  literal('-'),
  { part: 'day', layout: '02' },
];
const TO_SECONDS: readonly Element[] = [
  ...DATE,
  literal('T'),
  { part: 'hour', layout: '15' },
  literal(':'),
  { part: 'minute', layout: '04' },
  literal(':'),
  { part: 'second', layout: '05' },
];
const ZONE: Element = { part: 'zone', layout: 'Z07:00' };
const ELEMENTS: Readonly<Record<string, readonly Element[]>> = {
  [DATE_LAYOUT]: DATE,
  [LOCAL_TIME_LAYOUT]: TO_SECONDS,
  [RFC3339_LAYOUT]: [...TO_SECONDS, ZONE],
  [RFC3339_MICRO_LAYOUT]: [...TO_SECONDS, { part: 'fraction', layout: '.000000' }, ZONE],
};

/**
 * A number in range, and the text after it. Without `value` the text does not fit; `range` names what is too
 * large.
 */
interface Reading {
  readonly value?: number;
  readonly rest: string;
  readonly range?: string;
}

const LIMITS: Readonly<Partial<Record<Part, readonly [minimum: number, maximum: number]>>> = {
  month: [1, 12],
  hour: [0, 23],
  minute: [0, 59],
  second: [0, 59],
};

/**
 * Parses a time by a layout, as leniently as other implementations do: the hour may have one digit, a comma
 * may replace the decimal point, and a fraction is accepted where the layout has none.
 * @throws ParseError that names the part that does not fit
 */
export function readTime(text: string, layout: TimeLayout): Timestamp {
  const { seconds, nanoseconds } = readZonedTime(text, layout);
  return { seconds, nanoseconds };
}

/** Like {@link readTime}, with the zone; without one in the layout it is UTC. */
export function readZonedTime(text: string, layout: TimeLayout): ZonedTime {
  const found: Partial<Record<Part, number>> = {};
  let rest = text;
  for (const element of ELEMENTS[layout] as readonly Element[]) {
    const reading = readPart(element, rest);
    if (reading.range) throw new ParseError(`parsing time ${quoteTime(text)}: ${reading.range} out of range`);
    if (reading.value === undefined) throw mismatch(text, layout, rest, element.layout);
    found[element.part] = reading.value;
    rest = reading.rest;
    if (element.part === 'second' && layout !== RFC3339_MICRO_LAYOUT)
      rest = readExtraFraction(rest, found, text, layout);
  }
  if (rest !== '') throw new ParseError(`parsing time ${quoteTime(text)}: extra text: ${quoteTime(rest)}`);
  return toZonedTime(found, text);
}

function mismatch(text: string, layout: string, rest: string, element: string): ParseError {
  const cannot = `cannot parse ${quoteTime(rest)} as ${quoteTime(element)}`;
  return new ParseError(`parsing time ${quoteTime(text)} as ${quoteTime(layout)}: ${cannot}`);
}

function readPart({ part, layout }: Element, text: string): Reading {
  switch (part) {
    case 'literal':
      return text.startsWith(layout) ? { value: 0, rest: text.slice(layout.length) } : { rest: text };
    case 'year':
      return read(/^[0-9]{4}/, text);
    case 'fraction':
      return readFraction(text, layout.length);
    case 'zone':
      return readZone(text);
    case 'hour':
      return inRange(part, read(/^[0-9]{1,2}/, text));
    default:
      return inRange(part, read(/^[0-9]{2}/, text));
  }
}

function read(pattern: RegExp, text: string): Reading {
  const digits = pattern.exec(text)?.[0];
  return digits === undefined ? { rest: text } : { value: Number(digits), rest: text.slice(digits.length) };
}

function inRange(part: Part, reading: Reading): Reading {
  const limits = LIMITS[part];
  if (!limits || reading.value === undefined) return reading;
  return reading.value < limits[0] || reading.value > limits[1] ? { ...reading, range: part } : reading;
}

/** A decimal point or comma and digits, of that length together; nanoseconds. */
function readFraction(text: string, length: number): Reading {
  const digits = text.slice(1, length);
  if (!/^[.,]/.test(text) || digits.length !== length - 1) return { rest: text };
  if (/^-[0-9]+$/.test(digits) && /[1-9]/.test(digits)) return { rest: text, range: 'fractional second' };
  if (!/^[+-]?[0-9]+$/.test(digits)) return { rest: text };
  const value = Number(digits.slice(0, 9)) * 10 ** Math.max(0, 9 - digits.length);
  return { value: value || 0, rest: text.slice(length) };
}

function readExtraFraction(
  rest: string,
  found: Partial<Record<Part, number>>,
  text: string,
  layout: TimeLayout,
): string {
  const fraction = /^[.,][0-9]+/.exec(rest)?.[0];
  if (!fraction) return rest;
  const reading = readFraction(rest, fraction.length);
  if (reading.value === undefined) throw mismatch(text, layout, rest, '05');
  found.fraction = reading.value;
  return reading.rest;
}

function readZone(text: string): Reading {
  if (text.startsWith('Z')) return { value: 0, rest: text.slice(1) };
  const [zone, sign, hourText, minuteText] = /^([^\u0080-\uffff])(..):(..)/s.exec(text) ?? [];
  const hours = twoDigits(hourText);
  const minutes = twoDigits(minuteText);
  if (zone === undefined || hours === undefined) return { rest: text };
  if (minutes !== undefined && minutes > 60) return { rest: text, range: 'time zone offset minute' };
  if (hours > 24) return { rest: text, range: 'time zone offset hour' };
  if (minutes === undefined || (sign !== '+' && sign !== '-')) return { rest: text };
  const seconds = (hours * 60 + minutes) * 60;
  return { value: sign === '-' ? -seconds : seconds, rest: text.slice(zone.length) };
}

const twoDigits = (text = ''): number | undefined => (/^[0-9]{2}$/.test(text) ? Number(text) : undefined);

function toZonedTime(found: Partial<Record<Part, number>>, text: string): ZonedTime {
  const { year = 0, month = 1, day = 0, hour = 0, minute = 0, second = 0, fraction = 0, zone = 0 } = found;
  if (!isDay(year, month, day)) throw new ParseError(`parsing time ${quoteTime(text)}: day out of range`);
  const seconds = startOfDay(year, month, day) / 1000 + (hour * 60 + minute) * 60 + second - zone;
  return { seconds, nanoseconds: fraction, offset: zone };
}

/**
 * A string in double quotes as errors of times and durations print it: every byte beyond ASCII in
 * hexadecimal. Long ones are truncated.
 */
export function quoteTime(text: string): string {
  return `"${excerpt(text).replace(TO_ESCAPE, escaped)}"`;
}

const TO_ESCAPE = /["\\]|[^ -\u007f]/gu;
const encoder = new TextEncoder();

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return Array.from(encoder.encode(character), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
