import { goQuote } from '@ashlar/core';
import { TypedDecodeError } from './typed-decode-error.ts';

const SECONDS_LAYOUT = '2006-01-02T15:04:05Z07:00';
const MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';
const CANONICAL = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{6})?Z$/;

/**
 * A time as metadata prints it: UTC, whole seconds; null for the zero time (semantics B1). An offset is accepted, a fraction
 * is cut off.
 * @throws TypedDecodeError with Go's words for the first part that does not fit
 */
export function canonicalTime(text: string): string | null {
  if (text.length === 20 && isCanonical(text)) return unlessZero(text);
  const { milliseconds } = new TimeReader(text, SECONDS_LAYOUT).read();
  return unlessZero(`${utcText(milliseconds)}Z`);
}

/** A time with six digits behind the point, which the input needs too; null for the zero time. */
export function canonicalMicroTime(text: string): string | null {
  if (text.length === 27 && isCanonical(text)) return unlessZero(text);
  const { milliseconds, fraction } = new TimeReader(text, MICRO_LAYOUT).read();
  return unlessZero(`${utcText(milliseconds)}${fraction.replace(',', '.')}Z`);
}

const unlessZero = (text: string): string | null =>
  text === '0001-01-01T00:00:00Z' || text === '0001-01-01T00:00:00.000000Z' ? null : text;

function isCanonical(text: string): boolean {
  const match = CANONICAL.exec(text);
  if (!match) return false;
  const month = Number(match[2]);
  const day = Number(match[3]);
  return month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= daysIn(Number(match[1]), month));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function utcText(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  // Offsets can lead beyond the years of four digits; those print without the sign and padding of ISO.
  const year = /^[+-]0*(\d{4,})/.exec(text);
  const rest = text.slice(text.indexOf('-', 1), -5);
  return year ? `${text.startsWith('-') ? '-' : ''}${year[1]}${rest}` : text.slice(0, 19);
}

interface ReadTime {
  readonly milliseconds: number;
  /** With its point or comma; empty when there is none. */
  readonly fraction: string;
}

/** Reads a time along a layout, part by part, so that an error can name the part. */
class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  read(): ReadTime {
    const year = this.#number('2006', /^\d{4}/);
    this.#literal('-');
    const month = this.#number('01', /^\d\d/, 1, 12, 'month');
    this.#literal('-');
    const day = this.#number('02', /^\d\d/);
    this.#literal('T');
    const hour = this.#number('15', /^\d\d?/, 0, 23, 'hour');
    this.#literal(':');
    const minute = this.#number('04', /^\d\d/, 0, 59, 'minute');
    this.#literal(':');
    const second = this.#number('05', /^\d\d/, 0, 59, 'second');
    const fraction =
      this.#layout === MICRO_LAYOUT ? this.#take('.000000', /^[.,]\d{6}/) : (this.#skip(/^[.,]\d+/) ?? '');
    const offsetMinutes = this.#offset();
    if (this.#rest !== '') this.#fail(`: extra text: ${goQuote(this.#rest)}`);
    if (day < 1 || day > daysIn(year, month)) this.#fail(': day out of range');
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute - offsetMinutes, second);
    return { milliseconds: date.getTime(), fraction };
  }

  #offset(): number {
    if (this.#skip(/^Z/) !== undefined) return 0;
    const text = this.#take('Z07:00', /^[+-]\d\d:\d\d/);
    const hours = Number(text.slice(1, 3));
    const minutes = Number(text.slice(4));
    if (hours > 24) this.#fail(': time zone offset hour out of range');
    if (minutes > 60) this.#fail(': time zone offset minute out of range');
    return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
  }

  #number(part: string, pattern: RegExp, least = 0, most = 9999, name = ''): number {
    const value = Number(this.#take(part, pattern));
    if (value < least || value > most) this.#fail(`: ${name} out of range`);
    return value;
  }

  #literal(character: string): void {
    if (!this.#rest.startsWith(character)) this.#misfit(character);
    this.#rest = this.#rest.slice(1);
  }

  #take(part: string, pattern: RegExp): string {
    return this.#skip(pattern) ?? this.#misfit(part);
  }

  #skip(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.#rest)?.[0];
    if (found !== undefined) this.#rest = this.#rest.slice(found.length);
    return found;
  }

  #misfit(part: string): never {
    const layout = goQuote(this.#layout);
    throw new TypedDecodeError(
      `parsing time ${goQuote(this.#text)} as ${layout}: cannot parse ${goQuote(this.#rest)} as ${goQuote(part)}`,
    );
  }

  #fail(what: string): never {
    throw new TypedDecodeError(`parsing time ${goQuote(this.#text)}${what}`);
  }
}
