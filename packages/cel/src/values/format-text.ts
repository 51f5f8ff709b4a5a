import { CodedError, compareUtf8, goFloat, toHex } from '@ashlar/core';
import { work } from '../cost/work.ts';
import { isMap, type MapKey, mapGet, mapKeyOf, mapKeys, mapSize } from './maps.ts';
import { exponentialParts, exponentialText, fixedText, plainText } from './number-format.ts';
import { doubleOf, isInt, numeric } from './numbers.ts';
import { durationText, timestampText } from './time.ts';
import {
  Duration,
  EvaluationError,
  listItems,
  Timestamp,
  TypeValue,
  typeOfValue,
  Uint,
  type Value,
} from './values.ts';

/** Number format: plain, or English with separators and powers of ten. */
export type FormatStyle = 'plain' | 'localized';

/** Thrown internally if a clause does not accept its value. */
class FormatFailure extends CodedError {
  protected static override readonly isTraced: boolean = false;
}

const CLAUSE = /%(?:%|(?:\.(\d+))?([\s\S])?|\.)/g;
const DEFAULT_PRECISION = 6;
/** Maximum fraction digits. */
const MAXIMUM_PRECISION = 1000;

/** `text.format(list)`: `%s %d %f %e %b %x %X %o %%` replaced by the values in turn. */
export function formatText(text: string, values: readonly Value[], style: FormatStyle): Value {
  work(text.length * 10);
  let next = 0;
  try {
    return text.replace(CLAUSE, (clause, precision: string | undefined, verb: string | undefined) => {
      if (clause === '%%') return '%';
      const index = next++;
      if (index >= values.length) throw new FormatFailure(`index ${index} out of range`);
      if (verb === undefined) throw new FormatFailure('unexpected end of string');
      return formatClause(verb, precision, values[index] as Value, style);
    });
  } catch (error) {
    if (error instanceof FormatFailure) return new EvaluationError(error.message);
    throw error;
  }
}

/** Steps per clause, per printed digit, and per character or value of a printed list or map. */
const STEPS = { clause: 5_000, digit: 50, character: 4, value: 100 };

function formatClause(verb: string, precision: string | undefined, value: Value, style: FormatStyle): string {
  const written = clauseText(verb, precision, value, style);
  work(written.length * STEPS.character);
  return written;
}

function clauseText(verb: string, precision: string | undefined, value: Value, style: FormatStyle): string {
  const digits = precision === undefined ? DEFAULT_PRECISION : Number(precision);
  if (digits > MAXIMUM_PRECISION) {
    throw parsing(
      `error while parsing precision: precision ${digits} exceeds maximum allowed precision ${MAXIMUM_PRECISION}`,
    );
  }
  work(STEPS.clause + digits * STEPS.digit);
  switch (verb) {
    case 's':
      return style === 'plain' ? plainString(value) : localizedString(value);
    case 'd':
      return decimal(value, style);
    case 'f':
      return fractional(value, style, 'fixed-point', (number) => fixed(number, digits, style));
    case 'e':
      return fractional(value, style, 'scientific', (number) => scientific(number, digits, style));
    case 'b':
      return typeof value === 'boolean'
        ? value
          ? '1'
          : '0'
        : inBase(value, 2, 'only integers and bools can be formatted as binary');
    case 'o':
      return inBase(value, 8, 'octal clause can only be used on integers');
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value).toUpperCase();
    default:
      throw parsing(`unrecognized formatting clause "${verb}"`);
  }
}

const parsing = (reason: string): FormatFailure =>
  new FormatFailure(`could not parse formatting clause: ${reason}`);
const wrongType = (reason: string, value: Value): FormatFailure =>
  new FormatFailure(`error during formatting: ${reason}, was given ${typeOfValue(value).name}`);

const STRING_CLAUSE =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

/** Scalars that both formats print alike. */
function scalarString(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean') return String(value);
  if (isInt(value)) return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  return value instanceof TypeValue ? value.of.name : undefined;
}

function plainString(value: Value): string {
  const scalar = scalarString(value);
  if (scalar !== undefined) return scalar;
  const number = doubleOf(value);
  if (number !== undefined) return infiniteText(number) ?? plainText(number);
  const items = listItems(value);
  if (items) return listText(items, plainString);
  return mapText(value, ': ', plainString);
}

/** One list may occur many times in another, so the output may be longer than the lists. */
function listText(items: readonly Value[], print: (value: Value) => string): string {
  work((items.length + 1) * STEPS.value);
  const text = `[${items.map(print).join(', ')}]`;
  work(text.length * STEPS.character);
  return text;
}

function mapText(value: Value, colon: string, print: (value: Value) => string): string {
  if (!isMap(value)) throw wrongType(STRING_CLAUSE, value);
  work((mapSize(value) + 1) * STEPS.value);
  const entries = mapKeys(value).map((key): [string, string] => {
    return [print(key), print(mapGet(value, mapKeyOf(key) as MapKey) as Value)];
  });
  entries.sort(([a], [b]) => compareUtf8(a, b));
  const text = `{${entries.map(([key, entry]) => key + colon + entry).join(', ')}}`;
  work(text.length * STEPS.character);
  return text;
}

const infiniteText = (number: number): string | undefined =>
  Number.isFinite(number) ? undefined : String(number);

function localizedString(value: Value): string {
  const scalar = scalarString(value);
  if (scalar !== undefined) return scalar;
  const number = doubleOf(value);
  if (number !== undefined) return goFloat(number);
  return localizedElement(value);
}

/** A value inside a list or map: texts quoted, doubles with six digits. */
function localizedElement(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `b${JSON.stringify(new TextDecoder().decode(value))}`;
  if (value instanceof Timestamp) return `timestamp(${JSON.stringify(timestampText(value))})`;
  if (value instanceof Duration) return `duration(${JSON.stringify(durationText(value))})`;
  if (value instanceof TypeValue) return `type(${value.of.name})`;
  const number = doubleOf(value);
  if (number !== undefined)
    return Number.isFinite(number) ? fixedText(number, DEFAULT_PRECISION) : JSON.stringify(goFloat(number));
  const scalar = scalarString(value);
  if (scalar !== undefined) return scalar;
  const items = listItems(value);
  if (items) return listText(items, localizedElement);
  return mapText(value, ':', localizedElement);
}

function decimal(value: Value, style: FormatStyle): string {
  if (isInt(value)) return String(value);
  if (value instanceof Uint) return String(value.value);
  const number = style === 'plain' ? doubleOf(value) : undefined;
  if (number === undefined) throw wrongType('decimal clause can only be used on integers', value);
  return infiniteText(number) ?? plainText(number);
}

const NON_FINITE: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);

function fractional(
  value: Value,
  style: FormatStyle,
  clause: string,
  write: (number: number) => string,
): string {
  const exact = style === 'plain' ? numeric(value) : doubleOf(value);
  const named = style === 'localized' && typeof value === 'string' && NON_FINITE.has(value);
  if (exact === undefined && !named) throw wrongType(`${clause} clause can only be used on doubles`, value);
  const number = Number(exact ?? value);
  if (Number.isFinite(number)) return write(number);
  return style === 'plain' ? String(number) : Number.isNaN(number) ? 'NaN' : number > 0 ? '∞' : '-∞';
}

function groupedByThousands(whole: string): string {
  const digits = whole.startsWith('-') ? 1 : 0;
  const groups: string[] = [];
  let end = whole.length;
  for (; end - 3 > digits; end -= 3) groups.unshift(whole.slice(end - 3, end));
  return [whole.slice(0, end), ...groups].join(',');
}

function fixed(number: number, digits: number, style: FormatStyle): string {
  const text = fixedText(number, digits);
  if (style === 'plain') return text;
  const [whole, fraction] = text.split('.') as [string, string?];
  const grouped = groupedByThousands(whole);
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function scientific(number: number, digits: number, style: FormatStyle): string {
  if (style === 'plain') return exponentialText(number, digits);
  const { mantissa, power } = exponentialParts(number, digits);
  const raised = [...String(Math.abs(power)).padStart(2, '0')]
    .map((digit) => SUPERSCRIPTS[Number(digit)])
    .join('');
  return `${mantissa}×10${power < 0 ? '⁻' : ''}${raised}`;
}

function inBase(value: Value, base: number, reason: string): string {
  if (isInt(value)) return value.toString(base);
  if (value instanceof Uint) return value.value.toString(base);
  throw wrongType(reason, value);
}

function hexadecimal(value: Value): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  if (bytes instanceof Uint8Array) return toHex(bytes);
  return inBase(value, 16, 'only integers, byte buffers, and strings can be formatted as hex');
}
