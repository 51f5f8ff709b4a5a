import { type JsonValue, type Steps, setMember } from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';
import { decodeUtf8, encodeUtf8 } from '../serializers/utf8.ts';

/** An integer written with a fraction or an exponent, such as `1.0` and `1e2`. */
export interface IntegerDecimal {
  /** Its path, such as `spec.ports[0].port`; empty for the root. */
  readonly path: string;
  /** Its spelling. */
  readonly text: string;
}

/** What the parser reports. A path is built on request: it may be as long as the text. */
export interface JsonParserEvents {
  /** A repeated member; called before its value is parsed. */
  duplicate?(path: () => string): void;
  /** Resolves a repeated member; the last value by default. */
  resolve?(earlier: JsonValue, later: JsonValue): JsonValue;
  /** A {@link IntegerDecimal}. */
  integerDecimal?(text: string, path: () => string): void;
}

const INT64_MINIMUM = -(2n ** 63n);
const INT64_MAXIMUM = 2n ** 63n - 1n;
/** Integers of more characters do not fit into 64 bits. */
const MAXIMUM_INT64_LENGTH = 20;
/** Values between pauses. */
const STRIDE = 1024;

type Container = { value: JsonValue[] | Record<string, JsonValue>; key: string };

/**
 * Parses JSON that `JSON.parse` would not parse faithfully: integers are exact up to 64 bits, `-0` is the
 * integer 0, escaped lone surrogates become U+FFFD, and repeated members are reported. With a stack of its
 * own, so depth costs none.
 *
 * @throws DecodeError if a number exceeds doubles, and if the text is not JSON: `jsonSyntaxError` returns the
 * message.
 */
export class JsonParser {
  readonly #text: string;
  readonly #events: JsonParserEvents;
  readonly #stack: Container[] = [];
  #at = 0;

  constructor(text: string, events: JsonParserEvents) {
    this.#text = text;
    this.#events = events;
  }

  *parse(): Steps<JsonValue> {
    for (let steps = 1; ; steps++) {
      if (steps % STRIDE === 0) yield;
      const value = this.#openOrScalar();
      if (value === undefined) continue;
      const document = this.#close(value);
      if (document === undefined) continue;
      if (!Number.isNaN(this.#token())) throw notJson();
      return document;
    }
  }

  /** A complete value; undefined after a non-empty array or object was opened. */
  #openOrScalar(): JsonValue | undefined {
    const code = this.#token();
    if (code === 0x22) return this.#string();
    if (code === 0x7b) return this.#openObject();
    if (code === 0x5b) return this.#openArray();
    if (code === 0x74) return this.#literal('true', true);
    if (code === 0x66) return this.#literal('false', false);
    if (code === 0x6e) return this.#literal('null', null);
    return this.#number();
  }

  #openObject(): JsonValue | undefined {
    this.#at++;
    if (this.#token() === 0x7d) {
      this.#at++;
      return {};
    }
    this.#stack.push({ value: {}, key: '' });
    this.#key();
    return undefined;
  }

  #openArray(): JsonValue | undefined {
    this.#at++;
    if (this.#token() === 0x5d) {
      this.#at++;
      return [];
    }
    this.#stack.push({ value: [], key: '' });
    return undefined;
  }

  /** Adds a value to its container and closes containers that end; returns the root once nothing is open. */
  #close(finished: JsonValue): JsonValue | undefined {
    let value = finished;
    for (;;) {
      const top = this.#stack.at(-1);
      if (!top) return value;
      const list = Array.isArray(top.value);
      this.#add(top, value);
      const code = this.#token();
      this.#at++;
      if (code === 0x2c) {
        if (!list) this.#key();
        return undefined;
      }
      if (code !== (list ? 0x5d : 0x7d)) throw notJson();
      value = top.value as JsonValue;
      this.#stack.pop();
    }
  }

  #add(container: Container, value: JsonValue): void {
    if (Array.isArray(container.value)) {
      container.value.push(value);
      return;
    }
    const { key } = container;
    const { resolve } = this.#events;
    const earlier = resolve && Object.hasOwn(container.value, key) ? container.value[key] : undefined;
    setMember(container.value, key, earlier === undefined || !resolve ? value : resolve(earlier, value));
  }

  #key(): void {
    if (this.#token() !== 0x22) throw notJson();
    const key = this.#string();
    if (this.#token() !== 0x3a) throw notJson();
    this.#at++;
    const top = this.#stack.at(-1) as Container;
    top.key = key;
    if (this.#events.duplicate && Object.hasOwn(top.value, key)) this.#events.duplicate(this.#path);
  }

  #string(): string {
    const text = this.#text;
    const start = ++this.#at;
    for (let i = start; ; i++) {
      const code = text.charCodeAt(i);
      if (code === 0x22) {
        this.#at = i + 1;
        return text.slice(start, i);
      }
      if (code === 0x5c) return this.#escaped(start, i);
      if (!(code >= 0x20)) throw notJson();
    }
  }

  /** A string with escapes: its end is found here, `JSON.parse` decodes it. */
  #escaped(start: number, backslash: number): string {
    const text = this.#text;
    let i = backslash;
    while (text.charCodeAt(i) !== 0x22) {
      if (i >= text.length) throw notJson();
      i += text.charCodeAt(i) === 0x5c ? 2 : 1;
    }
    this.#at = i + 1;
    try {
      return wellFormed(JSON.parse(text.slice(start - 1, i + 1)) as string);
    } catch {
      throw notJson();
    }
  }

  #number(): JsonValue {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (!match) throw notJson();
    const [text, decimal] = match;
    this.#at += text.length;
    if (decimal === '') return integer(text);
    const value = double(text);
    if (this.#events.integerDecimal && Number.isSafeInteger(value))
      this.#events.integerDecimal(text, this.#path);
    return value;
  }

  #literal<T extends JsonValue>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw notJson();
    this.#at += word.length;
    return value;
  }

  /** The code of the next character that is not white space; NaN at the end. */
  #token(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
    this.#at = at;
    return code;
  }

  readonly #path = (): string => {
    let path = '';
    for (const { value, key } of this.#stack) {
      if (Array.isArray(value)) path += `[${value.length}]`;
      else path += path === '' ? key : `.${key}`;
    }
    return path;
  };
}

const NUMBER = /-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/y;

function integer(text: string): number | bigint {
  if (text.length <= 15) return Number(text) + 0;
  if (text.length > MAXIMUM_INT64_LENGTH) return double(text);
  const exact = BigInt(text);
  if (exact < INT64_MINIMUM || exact > INT64_MAXIMUM) return double(text);
  const value = Number(exact);
  return Number.isSafeInteger(value) ? value : exact;
}

function double(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new DecodeError(`json: cannot unmarshal number ${text} into Go value of type float64`);
}

function notJson(): DecodeError {
  return new DecodeError('invalid JSON');
}

function wellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? decodeUtf8(encodeUtf8(text)) : text;
}
