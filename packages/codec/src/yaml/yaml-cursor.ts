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

/** Space, tab, a line break or, as -1 or no number, the end. */
export const isBlankOrEndCode = (code: number): boolean =>
  code === SPACE || code === TAB || !(code >= 0) || isBreakCode(code);

/** A position that moves over a text by characters and lines. */
export class YamlCursor {
  readonly text: string;
  at = 0;
  index = 0;
  line = 0;
  column = 0;

  readonly #maximumLines: number;

  constructor(text: string, maximumLines: number) {
    this.text = text;
    this.#maximumLines = maximumLines;
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

  /** Letters, digits, `-` and `_`: the characters of names. */
  isNameCharacter(): boolean {
    const code = this.code();
    return (
      (code >= 0x30 && code <= 0x39) ||
      (code >= 0x41 && code <= 0x5a) ||
      (code >= 0x61 && code <= 0x7a) ||
      code === 0x5f ||
      code === 0x2d
    );
  }

  /** `---` or `...` at the beginning of a line, followed by a blank. */
  isDocumentIndicator(): boolean {
    return this.column === 0 && (this.sees('---') || this.sees('...')) && this.isBlankOrEnd(3);
  }

  /** Advances over one character, or several of ASCII. */
  skip(characters = 1): void {
    const code = this.text.charCodeAt(this.at);
    this.at += code >= 0xd800 && code <= 0xdbff ? 2 : characters;
    this.index += characters;
    this.column += characters;
  }

  /** Advances to a position on the same line. */
  skipTo(at: number): void {
    let characters = at - this.at;
    for (let i = this.at; i < at; i++) {
      const code = this.text.charCodeAt(i);
      if (code >= 0xd800 && code <= 0xdbff && i + 1 < at) {
        characters--;
        i++;
      }
    }
    this.at = at;
    this.index += characters;
    this.column += characters;
  }

  /** Advances to the end of the line. */
  skipLine(): void {
    const { text } = this;
    let at = this.at;
    while (at < text.length && !isBreakCode(text.charCodeAt(at))) at++;
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

  skipBlanks(): void {
    while (this.isBlank()) this.skip();
  }

  /** Advances to the end of the line if a comment begins here. */
  skipComment(): void {
    if (this.code() === 0x23) this.skipLine();
  }

  readName(): string {
    const start = this.at;
    while (this.isNameCharacter()) this.skip();
    return this.text.slice(start, this.at);
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
