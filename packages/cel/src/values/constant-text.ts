import { doubleOf } from './numbers.ts';
import { Double, Uint, type Value } from './values.ts';

/** Prints a constant as a literal. Throws TypeError for a value that has none. */
export function constantText(value: Value): string {
  if (typeof value === 'string') return stringText(value);
  if (value instanceof Uint8Array) return bytesText(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double || (typeof value === 'number' && !Number.isInteger(value))) {
    return doubleText(doubleOf(value) as number);
  }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : doubleText(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw new TypeError('a value of this type has no literal');
}

/** With a decimal point or an exponent, so that it is parsed as a double. */
function doubleText(value: number): string {
  const text = Object.is(value, -0) ? '-0.0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

function stringText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are escaped
  const body = text.replace(/["\\\u0000-\u001f\u007f]/g, (found) => {
    return ESCAPES[found] ?? `\\u${hex(found.charCodeAt(0), 4)}`;
  });
  return `"${body}"`;
}

function bytesText(bytes: Uint8Array): string {
  const body = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return byte < 0x20 || byte > 0x7e ? `\\x${hex(byte, 2)}` : (ESCAPES[character] ?? character);
  });
  return `b"${body.join('')}"`;
}
