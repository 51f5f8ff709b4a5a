import { goQuote } from './go-text.ts';
import { ParseError } from './parse-error.ts';

/** A number as it was spelled. */
export interface JsonNumber {
  readonly spelled: string;
}

/** A JSON value with numbers unread and the members of objects in order, repeated ones too. */
export type JsonNode = null | boolean | string | JsonNumber | readonly JsonNode[] | JsonMembers;

/** The members of an object. */
export class JsonMembers {
  readonly entries: (readonly [name: string, value: JsonNode])[] = [];
}

/** Far more than what is read this way needs, and safe to recurse. */
const MAXIMUM_DEPTH = 1_000;
/** Places where a blank is let through: only there is the end of the text told as such, elsewhere it counts as a blank. */
const BLANK_PASSES = /^(in string literal|looking|after (object|array|top-level))/;
const BLANK = /[ \t\r\n]*/y;
const NUMBER_PARTS = [
  { pattern: /-?/y, why: '' },
  { pattern: /0|[1-9][0-9]*/y, why: 'in numeric literal' },
] as const;

/**
 * Reads JSON strictly (RFC 8259): small texts in UTF-8 whose errors clients see, as continue tokens.
 * @throws ParseError with the recorded texts for syntax errors
 */
export function readJson(bytes: Uint8Array): JsonNode {
  return new JsonReader(bytes).document();
}

class JsonReader {
  readonly #bytes: Uint8Array;
  /** One character for each byte: errors name the byte where reading ended. */
  readonly #text: string;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  }

  document(): JsonNode {
    const value = this.#value(0);
    this.#blank();
    if (this.#at < this.#text.length) throw this.#unexpected('after top-level value');
    return value;
  }

  #value(depth: number): JsonNode {
    this.#blank();
    if (depth > MAXIMUM_DEPTH) throw new ParseError('exceeded max depth');
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth + 1);
      case '[':
        return this.#array(depth + 1);
      case '"':
        return this.#string();
      case 't':
        return this.#literal('true', true);
      case 'f':
        return this.#literal('false', false);
      case 'n':
        return this.#literal('null', null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): JsonMembers {
    const members = new JsonMembers();
    this.#at++;
    if (this.#next('}')) return members;
    for (;;) {
      this.#blank();
      if (this.#text[this.#at] !== '"') throw this.#unexpected('looking for beginning of object key string');
      const name = this.#string();
      if (!this.#next(':')) throw this.#unexpected('after object key');
      members.entries.push([name, this.#value(depth)]);
      if (this.#next('}')) return members;
      if (!this.#next(',')) throw this.#unexpected('after object key:value pair');
    }
  }

  #array(depth: number): JsonNode[] {
    const values: JsonNode[] = [];
    this.#at++;
    if (this.#next(']')) return values;
    for (;;) {
      values.push(this.#value(depth));
      if (this.#next(']')) return values;
      if (!this.#next(',')) throw this.#unexpected('after array element');
    }
  }

  #string(): string {
    const start = this.#at++;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || character < ' ') throw this.#unexpected('in string literal');
      this.#at++;
      if (character === '"') return this.#unquoted(start);
      if (character === '\\') this.#escape();
    }
  }

  #unquoted(start: number): string {
    return JSON.parse(new TextDecoder().decode(this.#bytes.subarray(start, this.#at))) as string;
  }

  #escape(): void {
    const character = this.#text[this.#at];
    if (character === undefined || !'bfnrt\\/"u'.includes(character))
      throw this.#unexpected('in string escape code');
    this.#at++;
    if (character !== 'u') return;
    for (let digit = 0; digit < 4; digit++) {
      if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? '')) {
        throw this.#unexpected('in \\u hexadecimal character escape');
      }
      this.#at++;
    }
  }

  #literal<T extends JsonNode>(word: string, value: T): T {
    for (const expected of word) {
      if (this.#text[this.#at] !== expected)
        throw this.#unexpected(`in literal ${word} (expecting '${expected}')`);
      this.#at++;
    }
    return value;
  }

  #number(): JsonNumber {
    const start = this.#at;
    if (!/[-0-9]/.test(this.#text[start] ?? '')) throw this.#unexpected('looking for beginning of value');
    for (const { pattern, why } of NUMBER_PARTS) this.#require(pattern, why);
    if (this.#take(/\./y)) this.#require(/[0-9]+/y, 'after decimal point in numeric literal');
    if (this.#take(/[eE][+-]?/y)) this.#require(/[0-9]+/y, 'in exponent of numeric literal');
    return { spelled: this.#text.slice(start, this.#at) };
  }

  #require(pattern: RegExp, why: string): void {
    if (!this.#take(pattern)) throw this.#unexpected(why);
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.test(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #blank(): void {
    this.#take(BLANK);
  }

  #next(character: string): boolean {
    this.#blank();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #unexpected(where: string): ParseError {
    const character = this.#text[this.#at];
    if (character === undefined && BLANK_PASSES.test(where))
      return new ParseError('unexpected end of JSON input');
    return new ParseError(`invalid character ${quoteCharacter(character ?? ' ')} ${where}`);
  }
}

function quoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  return character === '"' ? `'"'` : `'${goQuote(character).slice(1, -1)}'`;
}
