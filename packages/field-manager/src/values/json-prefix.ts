import { CodedError, type JsonValue, objectOf } from '@ashlar/core';

/** The error for a text that does not start with a JSON value. */
export class JsonPrefixError extends CodedError {
  protected static override readonly isTraced: boolean = false;
  override readonly name: string = 'JsonPrefixError';
}

const BLANK = /[ \t\r\n]*/y;
const NUMBER = /[-+.0-9eE]+/y;
const WELL_FORMED_NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are invalid in strings
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const LITERAL = /true|false|null/y;
const MAXIMUM_DEPTH = 100;
/** Elements that a server writes have one value for each key of a list: more are refused before they cost anything. */
const MAXIMUM_VALUES = 128;

/** Parses the JSON value at the start of a text; the rest is ignored, as by the reference server. */
export function readJsonPrefix(text: string): JsonValue {
  return new PrefixReader(text).value(0);
}

/**
 * Parses the members of the JSON object at the start of a text, in order and including repeated ones; `null`
 * has none.
 */
export function readMembersPrefix(text: string): (readonly [name: string, value: JsonValue])[] {
  return new PrefixReader(text).members(0);
}

class PrefixReader {
  readonly #text: string;
  #at = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): JsonValue {
    if (depth > MAXIMUM_DEPTH) throw new JsonPrefixError('exceeded max depth');
    if (++this.#values > MAXIMUM_VALUES)
      throw new JsonPrefixError(`more than ${MAXIMUM_VALUES} values in a path element`);
    switch (this.#peek()) {
      case '{':
        return objectOf(this.members(depth));
      case '[':
        return this.#items(depth);
      case '"':
        return this.#string();
      default:
        return this.#scalar();
    }
  }

  members(depth: number): (readonly [string, JsonValue])[] {
    const members: (readonly [string, JsonValue])[] = [];
    if (this.#peek() === 'n' && this.#scalar() === null) return members;
    this.#expect('{');
    if (this.#takes('}')) return members;
    do {
      this.#peek();
      const name = this.#string();
      this.#expect(':');
      members.push([name, this.value(depth + 1)]);
    } while (this.#takes(','));
    this.#expect('}');
    return members;
  }

  #items(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    this.#expect('[');
    if (this.#takes(']')) return items;
    do items.push(this.value(depth + 1));
    while (this.#takes(','));
    this.#expect(']');
    return items;
  }

  #string(): string {
    return JSON.parse(this.#match(STRING)) as string;
  }

  #scalar(): JsonValue {
    LITERAL.lastIndex = this.#at;
    if (LITERAL.test(this.#text)) return JSON.parse(this.#match(LITERAL)) as JsonValue;
    const number = this.#match(NUMBER);
    if (!WELL_FORMED_NUMBER.test(number) || !Number.isFinite(Number(number))) throw this.#fault();
    return Number(number);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (!found) throw this.#fault();
    this.#at += found.length;
    return found;
  }

  /** The character after blanks. */
  #peek(): string | undefined {
    BLANK.lastIndex = this.#at;
    this.#at += BLANK.exec(this.#text)?.[0].length ?? 0;
    return this.#text[this.#at];
  }

  #takes(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#takes(character)) throw this.#fault();
  }

  #fault(): JsonPrefixError {
    const found = this.#text[this.#at];
    return new JsonPrefixError(
      `unexpected ${found === undefined ? 'end of input' : `'${found}'`} at ${this.#at}`,
    );
  }
}
