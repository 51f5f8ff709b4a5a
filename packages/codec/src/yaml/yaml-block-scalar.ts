import type { YamlCursor } from './yaml-cursor.ts';
import { TextParts } from './yaml-text-parts.ts';

/** Where the reader of a block scalar stands. */
type Phase = 'blanks of the header' | 'comment' | 'breaks' | 'line';

/** Reads literal and folded scalars (YAML 1.1 section 9.3), one after the other. */
export class BlockScalarReader {
  readonly #cursor: YamlCursor;
  readonly #text = new FoldedText();
  #phase: Phase = 'breaks';
  #parentIndent = 0;
  #chomping: '' | '+' | '-' = '';
  /** Zero until it is known. */
  #indent = 0;
  #deepest = 0;
  /** Empty lines before the next line. */
  #breaks = '';

  constructor(cursor: YamlCursor) {
    this.#cursor = cursor;
  }

  /**
   * Begins after `|` or `>`.
   * @param parentIndent indentation of the parent
   */
  begin(isLiteral: boolean, parentIndent: number): void {
    this.#text.begin(isLiteral);
    this.#parentIndent = parentIndent;
    this.#chomping = readChomping(this.#cursor);
    const increment = readIncrement(this.#cursor);
    if (this.#chomping === '' && increment > 0) this.#chomping = readChomping(this.#cursor);
    this.#indent = increment > 0 ? Math.max(parentIndent, 0) + increment : 0;
    this.#phase = 'blanks of the header';
  }

  /** Returns the scalar that was read. */
  take(): string {
    return this.#text.take();
  }

  /** Reads on in the current piece; returns whether the end was reached. */
  run(): boolean {
    while (!this.#cursor.isSpent)
      if (this.#phase === 'breaks') {
        if (this.#readBreaks() && !this.#beginLine()) return true;
      } else if (this.#phase === 'line') this.#readLine();
      else this.#readHeader();
    return false;
  }

  #readHeader(): void {
    const cursor = this.#cursor;
    if (this.#phase === 'comment') cursor.skipLine();
    else cursor.skipBlanks();
    if (this.#phase !== 'comment' && cursor.code() === HASH) this.#phase = 'comment';
    else if (cursor.isBreakOrEnd()) {
      if (cursor.isBreak()) cursor.readBreak();
      this.#beginBreaks();
    } else if (!cursor.isSpent) throw cursor.fault('did not find expected comment or line break');
  }

  #beginBreaks(): void {
    this.#phase = 'breaks';
    this.#breaks = '';
    this.#deepest = 0;
  }

  /** Skips empty lines and indentation; an indentation of 0 is detected. Returns whether the end of them was reached. */
  #readBreaks(): boolean {
    const cursor = this.#cursor;
    const inside = this.#indent === 0 ? Number.POSITIVE_INFINITY : this.#indent;
    while (!cursor.isSpent) {
      if (cursor.column < inside) cursor.skipSpaces(inside);
      this.#deepest = Math.max(this.#deepest, cursor.column);
      if (cursor.column < inside && cursor.isTab())
        throw cursor.fault('found a tab character where an indentation space is expected');
      if (cursor.isBreak()) this.#breaks += cursor.readBreak();
      else if (cursor.column >= inside || !cursor.isSpace()) return true;
    }
    return false;
  }

  /** Returns whether there is a further line. */
  #beginLine(): boolean {
    const cursor = this.#cursor;
    if (this.#indent === 0) this.#indent = Math.max(this.#deepest, this.#parentIndent + 1, 1);
    const isLine = cursor.column === this.#indent && !cursor.isEnd();
    if (isLine) this.#text.startLine(cursor.isBlank(), this.#breaks);
    else if (this.#chomping !== '-') this.#text.endWith(this.#chomping === '+' ? this.#breaks : '');
    this.#phase = 'line';
    return isLine;
  }

  #readLine(): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    cursor.skipLine();
    this.#text.add(cursor.text.slice(start, cursor.at));
    if (!cursor.isBreakOrEnd()) return;
    this.#text.lineBreak = cursor.isEnd() ? '' : cursor.readBreak();
    this.#beginBreaks();
  }
}

const HASH = 0x23;

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

/** Joins the lines of a block scalar. */
class FoldedText {
  readonly #parts = new TextParts();
  #isLiteral = false;
  /** The break after the last line, which is not in the value yet. */
  lineBreak = '';
  #wasBlank = false;

  begin(isLiteral: boolean): void {
    this.#parts.take();
    this.#isLiteral = isLiteral;
    this.lineBreak = '';
    this.#wasBlank = false;
  }

  take(): string {
    return this.#parts.take();
  }

  startLine(isBlank: boolean, breaks: string): void {
    const folds = !this.#isLiteral && !this.#wasBlank && !isBlank && this.lineBreak === '\n';
    this.add(folds ? (breaks === '' ? ' ' : '') : this.lineBreak);
    this.add(breaks);
    this.#wasBlank = isBlank;
  }

  /** @param breaks empty lines behind the last one */
  endWith(breaks: string): void {
    this.add(this.lineBreak);
    this.add(breaks);
  }

  add(text: string): void {
    this.#parts.add(text);
  }
}
