import { compareUtf8, isJsonObject, type JsonValue } from '@ashlar/core';

/** A value as templates and columns print it: texts bare, composites as JSON with sorted names. */
export function printedText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return floatText(value);
  return typeof value === 'object' && value !== null ? jsonText(value) : String(value);
}

const LEAST_PLAIN = 1e-4;

/** Like Go's `%v`. */
function floatText(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return '0';
  if (size >= LEAST_PLAIN) return withLongExponent(String(value));
  return withLongExponent(value.toExponential());
}

/** Exponents have two digits at least. */
const withLongExponent = (text: string): string =>
  text.replace(/e([+-])(\d)$/, (_, sign: string, digit: string) => `e${sign}0${digit}`);

const SPECIAL = /[<>&\u2028\u2029]/g;

function jsonText(value: JsonValue): string {
  return write(value).replace(
    SPECIAL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function write(value: JsonValue | undefined): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort(compareUtf8)
    .map((key) => `${JSON.stringify(key)}:${write(value[key])}`);
  return `{${members.join(',')}}`;
}
