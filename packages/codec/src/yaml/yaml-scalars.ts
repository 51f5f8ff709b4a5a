import { isBlankOrEndCode, type YamlCursor } from './yaml-cursor.ts';

/**
 * Parses a literal or folded scalar, after its `|` or `>` (YAML 1.1 section 9.3).
 * @param parentIndent indentation of the parent
 */
export function readBlockScalar(cursor: YamlCursor, literal: boolean, parentIndent: number): string {
  const { chomping, increment } = readBlockHeader(cursor);
  const text = new FoldedText(literal);
  const explicitIndent = increment > 0 ? Math.max(parentIndent, 0) + increment : 0;
  let { breaks, indent } = readBlockBreaks(cursor, explicitIndent, parentIndent);
  while (cursor.column === indent && !cursor.isEnd()) {
    text.startLine(cursor.isBlank(), breaks);
    const start = cursor.at;
    cursor.skipLine();
    text.add(cursor.text.slice(start, cursor.at));
    text.lineBreak = cursor.isEnd() ? '' : cursor.readBreak();
    ({ breaks, indent } = readBlockBreaks(cursor, indent, parentIndent));
  }
  if (chomping !== '-') text.add(text.lineBreak, chomping === '+' ? breaks : '');
  return text.value;
}

interface BlockHeader {
  readonly chomping: '' | '+' | '-';
  readonly increment: number;
}

function readBlockHeader(cursor: YamlCursor): BlockHeader {
  let chomping = readChomping(cursor);
  const increment = readIncrement(cursor);
  if (chomping === '' && increment > 0) chomping = readChomping(cursor);
  cursor.skipBlanks();
  cursor.skipComment();
  if (!cursor.isBreakOrEnd()) throw cursor.fault('did not find expected comment or line break');
  if (cursor.isBreak()) cursor.readBreak();
  return { chomping, increment };
}

function readChomping(cursor: YamlCursor): '' | '+' | '-' {
  const chomping = cursor.sees('+') ? '+' : cursor.sees('-') ? '-' : '';
  if (chomping !== '') cursor.skip();
  return chomping;
}

function readIncrement(cursor: YamlCursor): number {
  const digit = cursor.code() - 0x30;
  if (!(digit >= 0 && digit <= 9)) return 0;
  if (digit === 0) throw cursor.fault('found an indentation indicator equal to 0');
  cursor.skip();
  return digit;
}

/** Skips empty lines and indentation; an indentation of 0 is detected. */
function readBlockBreaks(
  cursor: YamlCursor,
  indent: number,
  parentIndent: number,
): { breaks: string; indent: number } {
  let breaks = '';
  let deepest = 0;
  const inside = indent === 0 ? Number.POSITIVE_INFINITY : indent;
  for (;;) {
    while (cursor.column < inside && cursor.isSpace()) cursor.skip();
    deepest = Math.max(deepest, cursor.column);
    if (cursor.column < inside && cursor.isTab())
      throw cursor.fault('found a tab character where an indentation space is expected');
    if (!cursor.isBreak()) break;
    breaks += cursor.readBreak();
  }
  return { breaks, indent: indent === 0 ? Math.max(deepest, parentIndent + 1, 1) : indent };
}

/** Joins the lines of a block scalar. */
class FoldedText {
  readonly #literal: boolean;
  readonly #parts: string[] = [];
  /** The break after the last line, which is not in the value yet. */
  lineBreak = '';
  #wasBlank = false;

  constructor(literal: boolean) {
    this.#literal = literal;
  }

  get value(): string {
    return this.#parts.join('');
  }

  startLine(isBlank: boolean, breaks: string): void {
    const folds = !this.#literal && !this.#wasBlank && !isBlank && this.lineBreak === '\n';
    this.add(folds ? (breaks === '' ? ' ' : '') : this.lineBreak, breaks);
    this.#wasBlank = isBlank;
  }

  add(...texts: string[]): void {
    for (const text of texts) if (text !== '') this.#parts.push(text);
  }
}

/** Parses a quoted scalar, including its quotes (YAML 1.1 section 9.1). */
export function readQuotedScalar(cursor: YamlCursor, single: boolean): string {
  const quote = single ? 0x27 : 0x22;
  const parts: string[] = [];
  cursor.skip();
  for (;;) {
    if (cursor.isDocumentIndicator()) throw cursor.fault('found unexpected document indicator');
    if (cursor.isEnd()) throw cursor.fault('found unexpected end of stream');
    let escapedBreak = false;
    while (!cursor.isBlankOrEnd()) {
      const code = cursor.code();
      if (code !== quote && (single || code !== BACKSLASH)) parts.push(readUnquoted(cursor, quote));
      else if (single && cursor.code(1) === quote) {
        parts.push("'");
        cursor.skip(2);
      } else if (code === quote) break;
      else if (cursor.isBreak(1)) {
        cursor.skip();
        cursor.readBreak();
        escapedBreak = true;
        break;
      } else parts.push(readSimpleEscapes(cursor) || readEscape(cursor));
    }
    if (cursor.code() === quote) break;
    parts.push(readFolding(cursor, escapedBreak));
  }
  cursor.skip();
  return parts.length === 1 ? (parts[0] as string) : parts.join('');
}

const BACKSLASH = 0x5c;

/**
 * Matches the characters before a quote, backslash, blank or break. A backslash in single quotes is a part of
 * its own.
 */
function readUnquoted(cursor: YamlCursor, quote: number): string {
  const { text, at: start } = cursor;
  let at = start;
  let code = text.charCodeAt(at);
  do code = text.charCodeAt(++at);
  while (code !== quote && code !== BACKSLASH && !isBlankOrEndCode(code));
  cursor.skipTo(at);
  return text.slice(start, at);
}

/** Blanks and breaks between words: preserved on one line, folded over several. */
function readFolding(cursor: YamlCursor, escapedBreak: boolean): string {
  let blanks = '';
  let lineBreak = '';
  let more = '';
  let overLines = escapedBreak;
  while (cursor.isBlank() || cursor.isBreak()) {
    if (cursor.isBlank()) {
      const blank = cursor.read();
      if (!overLines) blanks += blank;
    } else if (overLines) more += cursor.readBreak();
    else {
      lineBreak = cursor.readBreak();
      overLines = true;
    }
  }
  return overLines ? fold(lineBreak, more) : blanks;
}

/** One break is a space, further ones stay. */
function fold(lineBreak: string, more: string): string {
  if (lineBreak !== '\n') return lineBreak + more;
  return more === '' ? ' ' : more;
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

/** Matches the escapes of one letter that follow each other: a text may have nothing else. Empty if there are none. */
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

/** A plain scalar and whether a key may follow, because it ended with a line. */
export interface PlainScalar {
  readonly value: string;
  readonly endsLine: boolean;
}

/** Parses a plain scalar (YAML 1.1 section 9.1.3). */
export function readPlainScalar(cursor: YamlCursor, inFlow: boolean, parentIndent: number): PlainScalar {
  const parts: string[] = [];
  let between = '';
  let overLines = false;
  while (!cursor.isDocumentIndicator() && !cursor.sees('#')) {
    const start = cursor.at;
    cursor.skipTo(plainEnd(cursor.text, start, inFlow));
    if (cursor.at > start) {
      if (between !== '') parts.push(between);
      parts.push(cursor.text.slice(start, cursor.at));
      between = '';
      overLines = false;
    }
    if (!cursor.isBlank() && !cursor.isBreak()) break;
    ({ between, overLines } = readPlainFolding(cursor, parentIndent));
    if (!inFlow && cursor.column <= parentIndent) break;
  }
  return { value: parts.length === 1 ? (parts[0] as string) : parts.join(''), endsLine: overLines };
}

/** Where the words of a plain scalar on one line end: before blanks that no further word follows. */
function plainEnd(text: string, start: number, inFlow: boolean): number {
  let end = start;
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x09) {
      // blanks before the first word, and text after them, are not of this line
      if (at === start) return start;
      continue;
    }
    if (isBlankOrEndCode(code)) return end;
    if (code === 0x3a && isBlankOrEndCode(text.charCodeAt(at + 1))) return end;
    if (inFlow && FLOW_INDICATORS.has(code)) return end;
    if (code === 0x23 && at > end) return end;
    end = at + 1;
  }
}

const FLOW_INDICATORS: ReadonlySet<number> = new Set(
  Array.from(',?[]{}', (character) => character.charCodeAt(0)),
);

function readPlainFolding(cursor: YamlCursor, parentIndent: number): { between: string; overLines: boolean } {
  let blanks = '';
  let lineBreak: string | undefined;
  let more = '';
  while (cursor.isBlank() || cursor.isBreak()) {
    if (cursor.isBreak()) {
      if (lineBreak === undefined) lineBreak = cursor.readBreak();
      else more += cursor.readBreak();
      continue;
    }
    if (lineBreak !== undefined && cursor.column <= parentIndent && cursor.isTab())
      throw cursor.fault('found a tab character that violates indentation');
    const blank = cursor.read();
    if (lineBreak === undefined) blanks += blank;
  }
  const overLines = lineBreak !== undefined;
  return { between: lineBreak === undefined ? blanks : fold(lineBreak, more), overLines };
}
