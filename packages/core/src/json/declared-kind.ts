import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { endOfString } from './json-parse-steps.ts';

// What a body says of its kind is read before the body itself, by a decoder that does not distinguish upper and lower case
// (semantics/verbs#decoding).

const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['kind', 'kind'],
  ['apiversion', 'apiVersion'],
]);

/** Whether a member of a body is read as its kind or version: in any case. */
export function declaresKind(name: string): boolean {
  return memberOf(name) !== undefined;
}

const LENGTHS: ReadonlySet<number> = new Set([...MEMBERS.keys()].map(({ length }) => length));

/** Upper case first: it also turns the long s into an S. */
const memberOf = (name: string): string | undefined =>
  LENGTHS.has(name.length) ? MEMBERS.get(name.toUpperCase().toLowerCase()) : undefined;

/**
 * Returns `kind` and `apiVersion` that a value declares, with names in any case; the value itself if their names are as usual, or
 * it is no object.
 */
export function declaredKind(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).filter(declaresKind);
  if (names.every((name) => memberOf(name) === name)) return value;
  return lastDeclared(names.sort().map((name) => [name, () => value[name] ?? null]));
}

/**
 * Returns `kind` and `apiVersion` that a JSON text declares: of several the last that is not null, and the first that is no text
 * before all others.
 * @param text valid JSON
 */
export function declaredKindOfText(text: string): JsonValue {
  return text.trimStart().startsWith('{') ? lastDeclared(members(text)) : (JSON.parse(text) as JsonValue);
}

function lastDeclared(named: Iterable<readonly [string, () => JsonValue]>): JsonObject {
  const declared: Record<string, JsonValue> = {};
  for (const [name, read] of named) {
    const member = memberOf(name);
    const value = member === undefined ? null : read();
    if (member === undefined || value === null) continue;
    if (typeof value !== 'string') return { [member]: value };
    declared[member] = value;
  }
  return declared;
}

/** The members of the outermost object of a text, repeated ones as well. */
function* members(text: string): Iterable<readonly [string, () => JsonValue]> {
  for (let at = text.indexOf('"'); at >= 0; ) {
    const end = endOfString(text, at) + 1;
    const start = text.indexOf(':', end) + 1;
    const after = endOfValue(text, start);
    yield [stringOf(text.slice(at, end)), () => JSON.parse(text.slice(start, after)) as JsonValue];
    at = text.indexOf('"', after);
  }
}

/** A text may have many members: few of their names are escaped. */
const stringOf = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

/** The index behind the value that starts at `start`. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') depth++;
    else if (depth === 0 && (character === ',' || character === '}')) return at;
    else if (character === '}' || character === ']') depth--;
  }
  return text.length;
}
