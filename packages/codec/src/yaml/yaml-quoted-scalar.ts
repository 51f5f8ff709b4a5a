import { isBlankOrEndCode, type YamlCursor } from './yaml-cursor.ts';
import { YamlFolding } from './yaml-folding.ts';
import { TextParts } from './yaml-text-parts.ts';

const SINGLE_QUOTE = 0x27;
const DOUBLE_QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Reads quoted scalars (YAML 1.1 section 9.1), one after the other. */
export class QuotedScalarReader {
  readonly #cursor: YamlCursor;
  readonly #folding: YamlFolding;
  readonly #parts = new TextParts();
  #isSingle = false;
  #isFolding = false;

  constructor(cursor: YamlCursor) {
    this.#cursor = cursor;
    this.#folding = new YamlFolding(cursor);
  }

  /** Begins at the first quote. */
  begin(isSingle: boolean): void {
    this.#isSingle = isSingle;
    this.#isFolding = false;
    this.#parts.take();
    this.#cursor.skip();
  }

  /** Returns the scalar that was read. */
  take(): string {
    return this.#parts.take();
  }

  /** Reads on in the current piece; returns whether the end was reached. */
  run(): boolean {
    const cursor = this.#cursor;
    for (;;) {
      if (this.#isFolding && !this.#endFolding()) return false;
      if (cursor.isEnd()) throw cursor.fault('found unexpected end of stream');
      const escapesBreak = this.#readWord();
      if (!escapesBreak && cursor.isSpent && !cursor.isBlankOrEnd()) return false;
      if (cursor.code() === (this.#isSingle ? SINGLE_QUOTE : DOUBLE_QUOTE)) break;
      this.#isFolding = true;
      this.#folding.begin(escapesBreak, -1);
    }
    cursor.skip();
    return true;
  }

  /** Returns whether the end of the blanks and breaks was reached. */
  #endFolding(): boolean {
    const cursor = this.#cursor;
    if (!this.#folding.run()) return false;
    this.#isFolding = false;
    this.#parts.add(this.#folding.text);
    if (cursor.isDocumentIndicator()) throw cursor.fault('found unexpected document indicator');
    return true;
  }

  /** Reads up to the last quote, to blanks, or to the end of the piece. Returns whether a break was met that is escaped. */
  #readWord(): boolean {
    const cursor = this.#cursor;
    const quote = this.#isSingle ? SINGLE_QUOTE : DOUBLE_QUOTE;
    while (!cursor.isSpent && !cursor.isBlankOrEnd()) {
      const code = cursor.code();
      if (code !== quote && (this.#isSingle || code !== BACKSLASH))
        this.#parts.add(readUnquoted(cursor, quote));
      else if (this.#isSingle && cursor.code(1) === quote) this.#parts.add(readDoubledQuotes(cursor));
      else if (code === quote) return false;
      else if (cursor.isBreak(1)) {
        cursor.skip();
        cursor.readBreak();
        return true;
      } else this.#parts.add(readSimpleEscapes(cursor) || readEscape(cursor));
    }
    return false;
  }
}

/**
 * Reads the characters before a quote, backslash, blank or break. A backslash in single quotes is a part of
 * its own.
 */
function readUnquoted(cursor: YamlCursor, quote: number): string {
  const { text, at: start, pieceEnd } = cursor;
  let at = start;
  let code = text.charCodeAt(at);
  do code = text.charCodeAt(++at);
  while (code !== quote && code !== BACKSLASH && !isBlankOrEndCode(code) && at < pieceEnd);
  cursor.skipTo(at);
  return text.slice(start, at);
}

/** Reads pairs of quotes, each of which is one: a text may have nothing else. */
function readDoubledQuotes(cursor: YamlCursor): string {
  const { text, at: start, pieceEnd } = cursor;
  let at = start;
  while (at < pieceEnd && text.charCodeAt(at) === SINGLE_QUOTE && text.charCodeAt(at + 1) === SINGLE_QUOTE)
    at += 2;
  cursor.skipNarrow(at);
  return "'".repeat((at - start) / 2);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};
/** The characters of one letter behind a backslash, by the code of that letter; a zero where there are none. */
const SIMPLE_ESCAPES: Uint16Array = Uint16Array.from({ length: 128 }, (_, code) => {
  const character = ESCAPES[String.fromCharCode(code)];
  return character === undefined ? 0 : character.charCodeAt(0);
});
/** Most escapes that are read as one part. */
const MAXIMUM_ESCAPES = 4096;

/** Reads the escapes of one letter that follow each other: a text may have nothing else. Empty if there are none. */
function readSimpleEscapes(cursor: YamlCursor): string {
  const { text, at: start } = cursor;
  const codes: number[] = [];
  let at = start;
  for (; codes.length < MAXIMUM_ESCAPES && text.charCodeAt(at) === BACKSLASH; at += 2) {
    const code = SIMPLE_ESCAPES[text.charCodeAt(at + 1)];
    if (!code) break;
    codes.push(code);
  }
  cursor.skipTo(at);
  return String.fromCharCode(...codes);
}

const CODE_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function readEscape(cursor: YamlCursor): string {
  const letter = cursor.text.charAt(cursor.at + 1);
  const length = CODE_LENGTHS[letter];
  const character = ESCAPES[letter];
  if (length === undefined && character === undefined) throw cursor.fault('found unknown escape character');
  cursor.skip(2);
  return length === undefined ? (character as string) : readCodePoint(cursor, length);
}

function readCodePoint(cursor: YamlCursor, length: number): string {
  const digits = cursor.text.slice(cursor.at, cursor.at + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits))
    throw cursor.fault('did not find expected hexdecimal number');
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
    throw cursor.fault('found invalid Unicode character escape code');
  cursor.skip(length);
  return String.fromCodePoint(code);
}
