import { toHex } from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';
import { decodeUtf8Strictly } from '../serializers/utf8.ts';
import { CborCursor, Info, Major } from './cbor-cursor.ts';

/**
 * Prints a well-formed data item in diagnostic notation (RFC 8949 section 8), as messages show it: byte
 * strings as text if they are text; hexadecimal digits for bytes without a notation.
 * @example diagnoseCbor(Uint8Array.of(0xa1, 0x41, 0x61, 0xf6)) // {'a': null}
 */
export function diagnoseCbor(bytes: Uint8Array): string {
  try {
    return item(new CborCursor(bytes));
  } catch (error) {
    if (error instanceof DecodeError) return toHex(bytes);
    throw error;
  }
}

function item(cursor: CborCursor): string {
  cursor.head();
  switch (cursor.major) {
    case Major.unsigned:
      return String(cursor.exact);
    case Major.negative:
      return String(-1n - cursor.exact);
    case Major.bytes:
    case Major.text:
      return string(cursor, cursor.major === Major.text ? '"' : "'");
    case Major.array:
      return `[${entries(cursor, item)}]`;
    case Major.map:
      return `{${entries(cursor, (at) => `${item(at)}: ${item(at)}`)}}`;
    case Major.tag:
      return `${cursor.exact}(${item(cursor)})`;
    default:
      return primitive(cursor);
  }
}

function entries(cursor: CborCursor, entry: (cursor: CborCursor) => string): string {
  const count = cursor.isIndefinite ? Infinity : cursor.argument;
  const texts: string[] = [];
  while (texts.length < count && !(count === Infinity && cursor.takeBreak())) texts.push(entry(cursor));
  return `${count === Infinity ? '_ ' : ''}${texts.join(', ')}`;
}

function string(cursor: CborCursor, quote: string): string {
  if (!cursor.isIndefinite) return quoted(cursor.take(cursor.argument), quote);
  const parts: string[] = [];
  while (!cursor.takeBreak()) {
    cursor.head();
    parts.push(quoted(cursor.take(cursor.argument), quote));
  }
  return parts.length === 0 ? `${quote}${quote}_` : `(_ ${parts.join(', ')})`;
}

/** @throws DecodeError if a text is not UTF-8 */
function quoted(bytes: Uint8Array, quote: string): string {
  const text = decodeUtf8Strictly(bytes);
  if (quote === "'" && (text === undefined || text === '')) return `h'${toHex(bytes)}'`;
  if (text === undefined) throw new DecodeError('cbor: invalid UTF-8 string');
  return `${quote}${text.replace(/[^ -~]|[\\'"]/g, (character) => escaped(character, quote))}${quote}`;
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\\', '\\\\'],
]);

function escaped(character: string, quote: string): string {
  if (character === '"' || character === "'") return character === quote ? `\\${character}` : character;
  return SHORT.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const SIMPLE: ReadonlyMap<number, string> = new Map([
  [20, 'false'],
  [21, 'true'],
  [22, 'null'],
  [23, 'undefined'],
]);

function primitive(cursor: CborCursor): string {
  if (cursor.info < Info.half) return SIMPLE.get(cursor.argument) ?? `simple(${cursor.argument})`;
  return float(cursor.float);
}

/** Always with a decimal point: `1.0`, `1.0e+300`. */
function float(value: number): string {
  const size = Math.abs(value);
  if (Object.is(value, -0)) return '-0.0';
  if (size !== 0 && (size < 1e-6 || size >= 1e21)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    return `${digits.includes('.') ? digits : `${digits}.0`}e${exponent}`;
  }
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
}
