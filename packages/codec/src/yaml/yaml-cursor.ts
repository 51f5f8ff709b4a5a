import { tooManyValues } from '../serializers/document-limits.ts';

/** A position in the text; line and column count from 0, characters beyond 16 bits as one. */
export interface YamlMark {
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/**
 * An error in a YAML text, with its line. The reference server counts lines differently for errors of
 * characters and of structure.
 */
export class YamlFault {
  readonly problem: string;
  readonly line: number;

  constructor(problem: string, line: number) {
    this.problem = problem;
    this.line = line;
  }

  /** The text of an error. The first line is never named. */
  get text(): string {
    return this.line > 0 ? `yaml: line ${this.line}: ${this.problem}` : `yaml: ${this.problem}`;
  }
}

const END = -1;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const NEL = 0x85;
const LINE_SEPARATOR = 0x2028;
const PARAGRAPH_SEPARATOR = 0x2029;

const isBreakCode = (code: number): boolean =>
  code === LF || code === CR || code === NEL || code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR;

const isFirstOfPair = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Space, tab, a line break or, as -1 or no number, the end. */
export const isBlankOrEndCode = (code: number): boolean =>
  code === SPACE || code === TAB || !(code >= 0) || isBreakCode(code);

/** Whether a code is that of a letter, a digit, `-` or `_`: the characters of names. */
const IS_NAME_CODE: readonly boolean[] = Array.from({ length: 0x80 }, (_, code) =>
  /[-\w]/.test(String.fromCharCode(code)),
);

/** How a text is read. */
export interface YamlReading {
  readonly maximumLines: number;
  /** Whether each character of the text is one code unit. Default: that is not known. */
  readonly isNarrow?: boolean;
  /** Code units that are read in one piece. Default: {@link PIECE_LENGTH}. */
  readonly pieceLength?: number;
}

/** Code units that are read in a fraction of a millisecond. */
export const PIECE_LENGTH = 65_536;

/**
 * A position that moves over a text by characters and lines. What may be long is read in pieces: methods that advance over any number
 * of blanks, or to the end of a line, stop at the end of the piece.
 */
export class YamlCursor {
  readonly text: string;
  at = 0;
  index = 0;
  line = 0;
  column = 0;
  /** Where the current piece ends, perhaps behind the text. */
  pieceEnd = 0;

  readonly #maximumLines: number;
  readonly #isNarrow: boolean;
  readonly #pieceLength: number;

  constructor(text: string, { maximumLines, isNarrow = false, pieceLength = PIECE_LENGTH }: YamlReading) {
    this.text = text;
    this.#pieceLength = pieceLength;
    this.#maximumLines = maximumLines;
    this.#isNarrow = isNarrow;
  }

  /** Begins a piece, which does not end between the two units of a character. */
  beginPiece(): void {
    const end = this.at + this.#pieceLength;
    this.pieceEnd = !this.#isNarrow && isFirstOfPair(this.text.charCodeAt(end - 1)) ? end + 1 : end;
  }

  /** Whether the current piece has been read. */
  get isSpent(): boolean {
    return this.at >= this.pieceEnd;
  }

  get mark(): YamlMark {
    return { index: this.index, line: this.line, column: this.column };
  }

  /** The code unit at an offset; -1 at the end. */
  code(ahead = 0): number {
    const at = this.at + ahead;
    return at < this.text.length ? this.text.charCodeAt(at) : END;
  }

  /** Whether an ASCII text follows. */
  sees(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  isEnd(ahead = 0): boolean {
    return this.code(ahead) === END;
  }

  isSpace(ahead = 0): boolean {
    return this.code(ahead) === SPACE;
  }

  isTab(ahead = 0): boolean {
    return this.code(ahead) === TAB;
  }

  /** Space or tab. */
  isBlank(ahead = 0): boolean {
    const code = this.code(ahead);
    return code === SPACE || code === TAB;
  }

  isBreak(ahead = 0): boolean {
    return isBreakCode(this.code(ahead));
  }

  isBreakOrEnd(ahead = 0): boolean {
    const code = this.code(ahead);
    return code === END || isBreakCode(code);
  }

  isBlankOrEnd(ahead = 0): boolean {
    return isBlankOrEndCode(this.code(ahead));
  }

  /** `---` or `...` at the beginning of a line, followed by a blank. */
  isDocumentIndicator(): boolean {
    return this.column === 0 && (this.sees('---') || this.sees('...')) && this.isBlankOrEnd(3);
  }

  /** Advances over one character, or several of ASCII. */
  skip(characters = 1): void {
    const code = this.text.charCodeAt(this.at);
    this.at += isFirstOfPair(code) ? 2 : characters;
    this.index += characters;
    this.column += characters;
  }

  /** Advances to a position on the same line. */
  skipTo(at: number): void {
    if (this.#isNarrow) this.skipNarrow(at);
    else this.#skipPairs(at);
  }

  #skipPairs(at: number): void {
    let characters = at - this.at;
    for (let i = this.at; i < at; i++) {
      if (isFirstOfPair(this.text.charCodeAt(i)) && i + 1 < at) {
        characters--;
        i++;
      }
    }
    this.at = at;
    this.index += characters;
    this.column += characters;
  }

  /** Advances to a position on the same line, over characters of one unit. */
  skipNarrow(at: number): void {
    const characters = at - this.at;
    this.at = at;
    this.index += characters;
    this.column += characters;
  }

  /** Advances to the end of the line, or of the piece. */
  skipLine(): void {
    const { text } = this;
    const end = Math.min(this.pieceEnd, text.length);
    let at = this.at;
    while (at < end && !isBreakCode(text.charCodeAt(at))) at++;
    this.skipTo(at);
  }

  /** Advances over one character and returns it. */
  read(): string {
    const start = this.at;
    this.skip();
    return this.text.slice(start, this.at);
  }

  /**
   * Advances over a line break and returns it as it counts in scalars: a newline, unless it is one of
   * Unicode's separators.
   */
  readBreak(): string {
    const code = this.code();
    const length = code === CR && this.code(1) === LF ? 2 : 1;
    this.at += length;
    this.index += length;
    this.column = 0;
    if (++this.line > this.#maximumLines) throw tooManyValues(this.#maximumLines, 'lines');
    return code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR ? String.fromCharCode(code) : '\n';
  }

  /** Advances over spaces and tabs. */
  skipBlanks(): void {
    const { text, pieceEnd } = this;
    let at = this.at;
    for (; at < pieceEnd; at++) {
      const code = text.charCodeAt(at);
      if (code !== SPACE && code !== TAB) break;
    }
    this.skipNarrow(at);
  }

  /** Advances over spaces, to a column at most. */
  skipSpaces(maximumColumn: number): void {
    const { text } = this;
    const end = Math.min(this.pieceEnd, this.at + maximumColumn - this.column);
    let at = this.at;
    while (at < end && text.charCodeAt(at) === SPACE) at++;
    this.skipNarrow(at);
  }

  readName(): string {
    const { text, at: start } = this;
    let at = start;
    while (at < text.length && IS_NAME_CODE[text.charCodeAt(at)] === true) at++;
    this.skipNarrow(at);
    return text.slice(start, at);
  }

  /** Counts lines from 1, as people do. */
  fault(problem: string): YamlFault {
    return new YamlFault(problem, this.line === 0 ? 0 : this.line + 1);
  }
}

/**
 * An error of structure at a token on that line. Lines count from 0 there: the reference server names the
 * line before.
 */
export function structureFault(problem: string, line: number): YamlFault {
  return new YamlFault(problem, line);
}
