import {
  compareUtf8,
  goFloat,
  goNumber,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@ashlar/core';

/** Prints a value as compact JSON of path elements: keys sorted, `<`, `>` and `&` escaped. */
export function jsonText(value: JsonValue): string {
  if (typeof value === 'string') return jsonString(value);
  if (typeof value === 'number') return jsonNumber(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (isJsonObject(value)) return `{${sortedMembers(value).map(memberText).join(',')}}`;
  return String(value);
}

/** What `JSON.stringify` does not escape, or escapes in a shorter form. */
const OTHERWISE_ESCAPED = /[<>&\u2028\u2029\b\f]/;
/** No JSON has it: it stands for escaped backslashes while short escapes are looked for. */
const NUL = '\u0000';

/** What most texts have nothing else of. */
const NOT_PLAIN = /[^ !#-%'-;=?-[\]-~]/;

function jsonString(text: string): string {
  if (!NOT_PLAIN.test(text)) return `"${text}"`;
  const json = JSON.stringify(text);
  return OTHERWISE_ESCAPED.test(text) ? escapedOtherwise(json) : json;
}

/** A text may be a million of these: they are replaced by texts, and no function is called for each. */
const escapedOtherwise = (json: string): string =>
  json
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll('\\\\', NUL)
    .replaceAll('\\b', '\\u0008')
    .replaceAll('\\f', '\\u000c')
    .replaceAll(NUL, '\\\\');

function jsonNumber(value: number): string {
  if (Object.is(value, -0)) return '-0';
  // integers below this have no exponent
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  return twoDigitExponent(String(value));
}

function memberText([name, value]: readonly [string, JsonValue]): string {
  return `${jsonString(name)}:${jsonText(value)}`;
}

function sortedMembers(map: JsonObject): [string, JsonValue][] {
  const entries = Object.entries(map).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return entries.sort(([a], [b]) => compareUtf8(a, b));
}

/**
 * Prints a value in paths: strings quoted, members of maps as `name=value`.
 * @param fromText whether the value was parsed from a path element, where every number is a decimal
 */
export function displayText(value: JsonValue, fromText: boolean): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return displayNumber(value, fromText);
  if (Array.isArray(value)) return `[${value.map((item) => displayText(item, fromText)).join(',')}]`;
  if (isJsonObject(value))
    return sortedMembers(value)
      .map(([name, member]) => `${name}=${displayText(member, fromText)}`)
      .join('');
  return String(value);
}

/** Numbers parsed from a path element are floats in the reference, including integers. */
function displayNumber(value: number, fromText: boolean): string {
  const isInteger = !fromText && Number.isInteger(value) && !Object.is(value, -0);
  return isInteger ? goNumber(value) : goFloat(value);
}

const twoDigitExponent = (text: string): string => text.replace(/e([+-])(\d)$/, 'e$10$2');
