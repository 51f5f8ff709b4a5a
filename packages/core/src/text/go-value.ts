import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { goNumber } from './go-number.ts';
import { goQuote } from './go-text.ts';
import { compareUtf8 } from './utf8.ts';

/** Maximum nesting that {@link goSyntax} prints: an error message must not fail itself. */
const MAXIMUM_LEVELS = 100;

/** Returns the name of the Go type of a decoded value: `map[string]interface {}`, `int64`; `<nil>` for null. */
export function goTypeName(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (isJsonArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'object':
      return 'map[string]interface {}';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isSafeInteger(value) ? 'int64' : 'float64';
    default:
      return 'string';
  }
}

/** Prints a value as Go's `%v` does: `map[a:1 b:[x y]]`, keys sorted, null as `<nil>`. */
export function goValue(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (isJsonArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (isJsonObject(value))
    return `map[${sortedMembers(value)
      .map(([key, member]) => `${key}:${goValue(member)}`)
      .join(' ')}]`;
  return typeof value === 'number' || typeof value === 'bigint' ? goNumber(value) : String(value);
}

/** Prints a value as Go's `%#v` does: `map[string]interface {}{"a":[]interface {}{1, "b"}}`, keys sorted. */
export function goSyntax(value: JsonValue): string {
  return value === null ? '<nil>' : elementSyntax(value, 0);
}

/** Prints a list in Go syntax; `items` are already printed. */
export function goListSyntax(items: readonly string[]): string {
  return `[]interface {}{${items.join(', ')}}`;
}

/** Prints a map in Go syntax; keys and values of `members` are already printed. */
export function goMapSyntax(keyType: string, members: readonly (readonly [string, string])[]): string {
  return `map[${keyType}]interface {}{${members.map(([key, member]) => `${key}:${member}`).join(', ')}}`;
}

/** Prints a map of texts in Go syntax, keys sorted; one that is absent is the nil map. */
export function goTextMapSyntax(texts: Readonly<Record<string, string>> | undefined): string {
  const type = 'map[string]string';
  if (!texts) return `${type}(nil)`;
  const members = sortedMembers(texts).map(([key, text]) => `${goQuote(key)}:${goQuote(text as string)}`);
  return `${type}{${members.join(', ')}}`;
}

/** Null inside of a list or map, in Go syntax. */
export const GO_NIL_ELEMENT: string = 'interface {}(nil)';

function elementSyntax(value: JsonValue, level: number): string {
  if (value === null) return GO_NIL_ELEMENT;
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') return goNumber(value);
  if (level === MAXIMUM_LEVELS) return '…';
  if (isJsonArray(value)) return goListSyntax(value.map((item) => elementSyntax(item, level + 1)));
  const members = sortedMembers(value).map(
    ([key, member]) => [goQuote(key), elementSyntax(member, level + 1)] as const,
  );
  return goMapSyntax('string', members);
}

function sortedMembers(object: JsonObject): [string, JsonValue][] {
  const members = Object.entries(object).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  );
  return members.sort(([a], [b]) => compareUtf8(a, b));
}
