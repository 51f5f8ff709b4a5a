import { runAtOnce, type Steps } from '../contracts/steps.ts';
import { goQuote } from '../text/go-text.ts';

/**
 * Maximum nesting of arrays and objects in JSON bodies. The reference server allows 10000, which no real
 * document needs and no recursion over values survives.
 */
export const MAXIMUM_JSON_DEPTH: number = 1000;

/**
 * Returns the syntax error of a JSON text, worded as by the reference server (`invalid character '}' after
 * object key`), or undefined. Reads bytes, because a character outside of strings is named by its first byte.
 */
export function jsonSyntaxError(bytes: Uint8Array): string | undefined {
  return runAtOnce(jsonSyntaxErrorSteps(bytes));
}

/** As {@link jsonSyntaxError}, with pauses. */
export function* jsonSyntaxErrorSteps(bytes: Uint8Array): Steps<string | undefined> {
  try {
    yield* new SyntaxScanner(bytes).document();
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxFault) return error.text;
    throw error;
  }
}

class SyntaxFault {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const END = -1;
const SPACE = 0x20;
/** Values between pauses. */
const STRIDE = 1024;

class SyntaxScanner {
  readonly #bytes: Uint8Array;
  #at = 0;
  /** The enclosing value: true for an object. */
  readonly #open: boolean[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Reads one value and nothing after it; not recursive, so depth costs no stack. */
  *document(): Steps<void> {
    this.#value();
    for (let steps = 1; this.#open.length > 0; steps++) {
      this.#nextInside();
      if (steps % STRIDE === 0) yield;
    }
    const byte = this.#token();
    if (byte !== END) throw fault(byte, 'after top-level value');
  }

  /** After a value inside an array or object: closes it, or reads the next value. */
  #nextInside(): void {
    const inObject = this.#open.at(-1) === true;
    const byte = this.#required();
    if (byte === (inObject ? 0x7d : 0x5d)) {
      this.#at++;
      this.#open.pop();
    } else if (byte !== 0x2c)
      throw fault(byte, inObject ? 'after object key:value pair' : 'after array element');
    else {
      this.#at++;
      if (inObject) this.#key();
      this.#value();
    }
  }

  #value(): void {
    for (;;) {
      const byte = this.#required();
      if (byte !== 0x7b && byte !== 0x5b) {
        this.#scalar(byte);
        return;
      }
      if (this.#enter(byte === 0x7b)) return;
    }
  }

  #scalar(byte: number): void {
    const literal = LITERALS.get(byte);
    if (byte === 0x22) this.#string();
    else if (byte === 0x2d || isDigit(byte)) this.#number();
    else if (literal) this.#literal(literal);
    else throw fault(byte, 'looking for beginning of value');
  }

  /**
   * Opens an array or object; true if it is empty and already closed, otherwise the position is before its
   * first value.
   */
  #enter(isObject: boolean): boolean {
    this.#open.push(isObject);
    if (this.#open.length > MAXIMUM_JSON_DEPTH) throw fault(isObject ? 0x7b : 0x5b, 'exceeded max depth');
    this.#at++;
    if (this.#required() === (isObject ? 0x7d : 0x5d)) {
      this.#at++;
      this.#open.pop();
      return true;
    }
    if (isObject) this.#key();
    return false;
  }

  #key(): void {
    const byte = this.#required();
    if (byte !== 0x22) throw fault(byte, 'looking for beginning of object key string');
    this.#string();
    const colon = this.#required();
    if (colon !== 0x3a) throw fault(colon, 'after object key');
    this.#at++;
  }

  #string(): void {
    for (this.#at++; ; this.#at++) {
      this.#skip(PLAIN);
      const byte = this.#peek();
      if (byte === END) throw unexpectedEnd();
      if (byte === 0x22) break;
      if (byte < SPACE) throw fault(byte, 'in string literal');
      if (byte === 0x5c) this.#escape();
    }
    this.#at++;
  }

  #escape(): void {
    this.#at++;
    const byte = this.#orSpace();
    if (byte === 0x75) {
      for (let i = 0; i < 4; i++) {
        this.#at++;
        const digit = this.#orSpace();
        if (!isHexDigit(digit)) throw fault(digit, 'in \\u hexadecimal character escape');
      }
    } else if (!ESCAPES.has(byte)) throw fault(byte, 'in string escape code');
  }

  #number(): void {
    if (this.#peek() === 0x2d) {
      this.#at++;
      if (!isDigit(this.#peek())) throw fault(this.#orSpace(), 'in numeric literal');
    }
    if (this.#peek() === 0x30) this.#at++;
    else this.#digits();
    if (this.#peek() === 0x2e) {
      this.#at++;
      this.#someDigits('after decimal point in numeric literal');
    }
    if ((this.#peek() | 0x20) === 0x65) {
      this.#at++;
      if (this.#peek() === 0x2b || this.#peek() === 0x2d) this.#at++;
      this.#someDigits('in exponent of numeric literal');
    }
  }

  #someDigits(where: string): void {
    if (!isDigit(this.#peek())) throw fault(this.#orSpace(), where);
    this.#digits();
  }

  #digits(): void {
    this.#skip(DIGIT);
  }

  #literal(word: string): void {
    for (let i = 1; i < word.length; i++) {
      this.#at++;
      const byte = this.#orSpace();
      if (byte !== word.charCodeAt(i)) throw fault(byte, `in literal ${word} (expecting '${word[i]}')`);
    }
    this.#at++;
  }

  #peek(): number {
    return this.#bytes[this.#at] ?? END;
  }

  /** The end of the text counts as a space inside numbers, literals and escapes, as errors report it. */
  #orSpace(): number {
    return this.#bytes[this.#at] ?? SPACE;
  }

  /** The next byte that is not white space. */
  #token(): number {
    const byte = this.#peek();
    if (byte > SPACE) return byte;
    this.#skip(WHITE_SPACE);
    return this.#peek();
  }

  /** Skips bytes of a class: there may be megabytes of them. */
  #skip(byteClass: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < bytes.length && ((CLASSES[bytes[at] as number] as number) & byteClass) !== 0) at++;
    this.#at = at;
  }

  #required(): number {
    const byte = this.#token();
    if (byte === END) throw unexpectedEnd();
    return byte;
  }
}

const WHITE_SPACE = 1;
const DIGIT = 2;
/** What stands in strings as it is. */
const PLAIN = 4;
/** The classes of each byte. */
const CLASSES: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isWhite = byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;
  const isPlain = byte >= SPACE && byte !== 0x22 && byte !== 0x5c;
  return (isWhite ? WHITE_SPACE : 0) | (isDigit(byte) ? DIGIT : 0) | (isPlain ? PLAIN : 0);
});

const LITERALS: ReadonlyMap<number, string> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]),
);

const ESCAPES: ReadonlySet<number> = new Set(Array.from('bfnrt\\/"', (letter) => letter.charCodeAt(0)));

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function unexpectedEnd(): SyntaxFault {
  return new SyntaxFault('unexpected end of JSON input');
}

function fault(byte: number, where: string): SyntaxFault {
  return new SyntaxFault(`invalid character ${quoteByte(byte)} ${where}`);
}

function quoteByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  return `'${goQuote(character).slice(1, -1)}'`;
}
