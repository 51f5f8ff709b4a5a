import { isJsonArray, type JsonObject, type JsonValue } from '../json/json.ts';
import { goNumber } from './go-number.ts';
import { goQuote } from './go-text.ts';
import { compareUtf8 } from './utf8.ts';

/** Maximum nesting that is printed: an error message must not fail itself. */
const MAXIMUM_LEVELS = 100;
/** Characters that {@link goValue} prints at most. */
const MAXIMUM_LENGTH = 65_536;
/** Members of one map that it prints at most: as many as fit. */
const MAXIMUM_MEMBERS = MAXIMUM_LENGTH / 4;

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

/**
 * Prints a value as Go's `%v` does: `map[a:1 b:[x y]]`, keys sorted, null as `<nil>`. Of a large one the beginning, followed by `...`, and
 * of a very deep one the outer levels.
 */
export function goValue(value: JsonValue): string {
  const beginning = new Beginning();
  printValue(value, beginning, 0);
  return beginning.text;
}

/** A text that ends where it is long enough. */
class Beginning {
  text: string = '';

  get isFull(): boolean {
    return this.text.length > MAXIMUM_LENGTH;
  }

  add(text: string): void {
    if (!this.isFull) this.text += text;
    if (this.isFull) this.text = `${this.text.slice(0, MAXIMUM_LENGTH)}...`;
  }
}

function printValue(value: JsonValue, to: Beginning, level: number): void {
  if (to.isFull) return;
  if (value === null || typeof value !== 'object') to.add(scalarValue(value));
  else if (level === MAXIMUM_LEVELS) to.add('…');
  else if (isJsonArray(value)) printAll('[', value, to, (item) => printValue(item, to, level + 1));
  else
    printAll('map[', sortedMembers(value, MAXIMUM_MEMBERS), to, ([key, member]) => {
      to.add(`${key}:`);
      printValue(member, to, level + 1);
    });
}

function printAll<T>(opening: string, items: readonly T[], to: Beginning, print: (item: T) => void): void {
  to.add(opening);
  for (const [index, item] of items.entries()) {
    if (to.isFull) return;
    if (index > 0) to.add(' ');
    print(item);
  }
  to.add(']');
}

function scalarValue(value: Exclude<JsonValue, object>): string {
  if (value === null) return '<nil>';
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

/** The first members of a map, in the order of their names. */
function sortedMembers(
  object: JsonObject,
  maximum: number = Number.POSITIVE_INFINITY,
): [string, JsonValue][] {
  const members: [string, JsonValue][] = [];
  for (const name in object) {
    const member = object[name];
    if (member !== undefined && members.push([name, member]) >= maximum) break;
  }
  return members.sort(([a], [b]) => compareUtf8(a, b));
}
