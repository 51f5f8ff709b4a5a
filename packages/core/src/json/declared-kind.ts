import type { Steps } from '../contracts/steps.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { endOfStringSteps } from './json-parse-steps.ts';

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
 * before all others. With pauses.
 * @param text valid JSON
 */
export function* declaredKindOfTextSteps(text: string): Steps<JsonValue> {
  return BEGINS_OBJECT.test(text) ? yield* lastDeclaredOfText(text) : (JSON.parse(text) as JsonValue);
}

const BEGINS_OBJECT = /^\s*\{/;

function lastDeclared(named: Iterable<readonly [string, () => JsonValue]>): JsonObject {
  const declared: Record<string, JsonValue> = {};
  for (const [name, read] of named) {
    const other = declare(declared, name, read);
    if (other) return other;
  }
  return declared;
}

/** Adds what a member declares; returns all that is declared if that is no text. */
function declare(
  declared: Record<string, JsonValue>,
  name: string,
  read: () => JsonValue,
): JsonObject | undefined {
  const member = memberOf(name);
  const value = member === undefined ? null : read();
  if (member === undefined || value === null) return undefined;
  if (typeof value !== 'string') return { [member]: value };
  declared[member] = value;
  return undefined;
}

/** Looks at the members of the outermost object of a text, repeated ones as well. */
function* lastDeclaredOfText(text: string): Steps<JsonObject> {
  const declared: Record<string, JsonValue> = {};
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; ) {
    if (++count % STRIDE === 0) yield;
    const end = (yield* endOfStringSteps(text, at)) + 1;
    const start = text.indexOf(':', end) + 1;
    const after = yield* endOfValueSteps(text, start);
    const read = (): JsonValue => JSON.parse(text.slice(start, after)) as JsonValue;
    const other = declare(declared, stringOf(text.slice(at, end)), read);
    if (other) return other;
    at = text.indexOf('"', after);
  }
  return declared;
}

/** A text may have many members: few of their names are escaped. */
const stringOf = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

/** Members between pauses. */
const STRIDE = 512;
/** Characters between pauses. */
const STRETCH = 65_536;

/** The index behind the value that starts at `start`. */
function* endOfValueSteps(text: string, start: number): Steps<number> {
  let depth = 0;
  let pauseAt = start + STRETCH;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (at >= pauseAt) {
      pauseAt = at + STRETCH;
      yield;
    }
    if (code === QUOTE) at = yield* endOfStringSteps(text, at);
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) depth++;
    else if (depth === 0 && (code === COMMA || code === CLOSING_BRACE)) return at;
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth--;
  }
  return text.length;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
