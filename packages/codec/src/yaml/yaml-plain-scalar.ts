import { isBlankOrEndCode, type YamlCursor } from './yaml-cursor.ts';
import { YamlFolding } from './yaml-folding.ts';
import { TextParts } from './yaml-text-parts.ts';

/** Reads plain scalars (YAML 1.1 section 9.1.3), one after the other. */
export class PlainScalarReader {
  /** Whether a key may follow the scalar, because it ended with a line. */
  endsLine = false;
  readonly #cursor: YamlCursor;
  readonly #folding: YamlFolding;
  readonly #parts = new TextParts();
  #inFlow = false;
  #parentIndent = 0;
  #isFolding = false;
  /** What stands before the next word. */
  #between = '';

  constructor(cursor: YamlCursor) {
    this.#cursor = cursor;
    this.#folding = new YamlFolding(cursor);
  }

  begin(inFlow: boolean, parentIndent: number): void {
    this.#inFlow = inFlow;
    this.#parentIndent = parentIndent;
    this.#isFolding = false;
    this.#between = '';
    this.endsLine = false;
  }

  /** Returns the scalar that was read. */
  take(): string {
    return this.#parts.take();
  }

  /** Reads on in the current piece; returns whether the end was reached. */
  run(): boolean {
    const cursor = this.#cursor;
    for (;;) {
      if (this.#isFolding && !this.#folding.run()) return false;
      if (this.#isFolding && !this.#endFolding()) return true;
      this.#readWords();
      if (cursor.isBlank() || cursor.isBreak()) this.#beginFolding();
      else return !cursor.isSpent;
    }
  }

  #beginFolding(): void {
    this.#isFolding = true;
    this.#folding.begin(false, this.#parentIndent);
  }

  /** Returns whether a word may follow. */
  #endFolding(): boolean {
    const cursor = this.#cursor;
    this.#isFolding = false;
    this.#between = this.#folding.text;
    this.endsLine = this.#folding.isOverLines;
    if (!this.#inFlow && cursor.column <= this.#parentIndent) return false;
    return !cursor.isDocumentIndicator() && !cursor.sees('#');
  }

  /** Reads the words of a line. */
  #readWords(): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    cursor.skipTo(wordsEnd(cursor.text, start, cursor.pieceEnd, this.#inFlow));
    if (cursor.at === start) return;
    this.#parts.add(this.#between);
    this.#parts.add(cursor.text.slice(start, cursor.at));
    this.#between = '';
    this.endsLine = false;
  }
}

/** Where the words of a plain scalar on one line end: before blanks that no further word follows. */
function wordsEnd(text: string, start: number, limit: number, inFlow: boolean): number {
  let end = start;
  const last = Math.min(limit, text.length);
  for (let at = start; at < last; at++) {
    const code = text.charCodeAt(at);
    if (IS_ORDINARY[code] === true) {
      end = at + 1;
      continue;
    }
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
  return end;
}

const FLOW_INDICATORS: ReadonlySet<number> = new Set(
  Array.from(',?[]{}', (character) => character.charCodeAt(0)),
);

/** Whether a character of ASCII means nothing in a plain scalar. */
const IS_ORDINARY: readonly boolean[] = Array.from(
  { length: 0x80 },
  (_, code) => code > 0x20 && code !== 0x3a && code !== 0x23 && !FLOW_INDICATORS.has(code),
);

const INDICATORS = '-?:,[]{}#&*!|>\'"%@`';

/** Whether a plain scalar may begin at the position. */
export function canStartPlain(cursor: YamlCursor, inFlow: boolean): boolean {
  if (cursor.isBlankOrEnd()) return false;
  const character = cursor.text.charAt(cursor.at);
  if (!INDICATORS.includes(character)) return true;
  if (character === '-') return !cursor.isBlank(1);
  return !inFlow && (character === '?' || character === ':') && !cursor.isBlankOrEnd(1);
}
