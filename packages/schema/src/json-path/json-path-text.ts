import { compareUtf8, goNumber, isJsonObject, type JsonValue } from '@ashlar/core';

/** Prints a value as templates and columns show it: strings unquoted, composites as JSON with sorted keys. */
export function printedText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return goNumber(value);
  return typeof value === 'object' && value !== null ? jsonText(value) : String(value);
}

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
