import { resolvePlain } from './yaml-resolve.ts';

const INDENT = 2;
const WIDTH = 80;
const SIMPLE_KEY_LENGTH = 128;
/** Characters written between two pauses. */
const CHARACTERS_PER_STEP = 16_384;

/** Emits scalars, items and keys as the reference server does (YAML 1.1). */
export class YamlEmitter {
  #output = '';
  #column = 0;
  /** Whether a blank precedes the position, so that no other is needed. */
  #afterBlank = true;
  /** Whether the line has only indentation and `-` so far. */
  #atIndent = true;
  #indent = -1;
  #nextPause = CHARACTERS_PER_STEP;
  readonly #indents: number[] = [];

  /** Whether enough was written since the last pause. */
  isPauseDue(): boolean {
    if (this.#output.length < this.#nextPause) return false;
    this.#nextPause = this.#output.length + CHARACTERS_PER_STEP;
    return true;
  }

  /** Number of open lists and mappings. */
  get depth(): number {
    return this.#indents.length;
  }

  /**
   * Starts a list or mapping.
   * @param asValue the list is the value of a key, and may have the same indentation
   */
  open(asValue: boolean): void {
    this.#indents.push(this.#indent);
    if (this.#indent < 0) this.#indent = 0;
    else if (!asValue || this.#atIndent) this.#indent += INDENT;
  }

  close(): void {
    this.#indent = this.#indents.pop() ?? -1;
  }

  item(): void {
    this.#startLine(this.#indent);
    this.#indicator('-', true);
  }

  /** A key of a mapping and its colon. Long keys and keys of several lines get a `?`. */
  key(key: string): void {
    this.#startLine(this.#indent);
    if (analyze(key).multiline || utf8Length(key) > SIMPLE_KEY_LENGTH) {
      this.#indicator('?', true);
      this.text(key);
      this.#startLine(this.#indent);
      this.#indicator(':', true);
      return;
    }
    this.#scalar(key, true);
    this.#put(':');
    this.#afterBlank = false;
    this.#atIndent = false;
  }

  /** A string in a style that preserves its type. */
  text(text: string): void {
    this.#indents.push(this.#indent);
    this.#indent = this.#indent < 0 ? INDENT : this.#indent + INDENT;
    this.#scalar(text, false);
    this.close();
  }

  /** Characters that need no quotes. */
  plain(text: string): void {
    this.#separate();
    this.#put(text);
    this.#afterBlank = false;
    this.#atIndent = false;
  }

  finish(): string {
    this.#startLine(0);
    return this.#output;
  }

  #scalar(text: string, isKey: boolean): void {
    const style = styleOf(text, isKey);
    if (style === 'literal') this.#literal(text);
    else if (style === 'double') this.#double(text, !isKey);
    else this.#folded(text, style === 'single', !isKey);
    if (style === 'literal') return;
    this.#afterBlank = false;
    this.#atIndent = false;
  }

  /** Plain or in single quotes; folded if it is long. */
  #folded(text: string, quoted: boolean, mayBreak: boolean): void {
    this.#separate();
    if (quoted) this.#put("'");
    this.#atIndent = this.#atIndent && !quoted;
    if (quoted) this.#afterBlank = false;
    const characters = [...text];
    let wasSpace = false;
    let wasBreak = false;
    for (const [i, character] of characters.entries()) {
      if (character === ' ') {
        const isInside = !quoted || (i > 0 && i < characters.length - 1);
        const folds = mayBreak && !wasSpace && this.#column > WIDTH && isInside && characters[i + 1] !== ' ';
        if (folds) this.#startLine(this.#indent);
        else this.#put(' ');
        wasSpace = true;
      } else if (BREAKS.includes(character)) {
        this.#put(character);
        this.#column = 0;
        this.#atIndent = true;
        wasBreak = true;
      } else {
        if (wasBreak) this.#startLine(this.#indent);
        this.#put(quoted && character === "'" ? "''" : character);
        this.#atIndent = false;
        wasSpace = false;
        wasBreak = false;
      }
    }
    if (quoted) this.#put("'");
  }

  #double(text: string, mayBreak: boolean): void {
    this.#separate();
    this.#put('"');
    this.#afterBlank = false;
    this.#atIndent = false;
    // The reference server looks for the mark at the beginning of the text at any position, so everything
    // after it is escaped.
    const escapesAll = text.startsWith('\ufeff');
    const characters = [...text];
    let wasSpace = false;
    for (const [i, character] of characters.entries()) {
      const isInside = i > 0 && i < characters.length - 1;
      if (character === ' ' && !escapesAll && mayBreak && !wasSpace && this.#column > WIDTH && isInside) {
        this.#startLine(this.#indent);
        if (characters[i + 1] === ' ') this.#put('\\');
      } else this.#put(escapesAll || mustEscape(character) ? escaped(character) : character);
      wasSpace = character === ' ';
    }
    this.#put('"');
  }

  #literal(text: string): void {
    this.#separate();
    this.#put(`|${literalHints(text)}`);
    this.#break();
    let atBreak = true;
    for (const character of text) {
      if (BREAKS.includes(character)) {
        if (character === '\n') this.#break();
        else this.#put(character);
        this.#column = 0;
        this.#atIndent = true;
        atBreak = true;
        continue;
      }
      if (atBreak) this.#startLine(this.#indent);
      this.#put(character);
      this.#atIndent = false;
      atBreak = false;
    }
  }

  #indicator(character: string, keepsIndent: boolean): void {
    this.#separate();
    this.#put(character);
    this.#afterBlank = false;
    this.#atIndent = this.#atIndent && keepsIndent;
  }

  #separate(): void {
    if (!this.#afterBlank) this.#put(' ');
  }

  #startLine(indentation: number): void {
    const indent = Math.max(indentation, 0);
    if (!this.#atIndent || this.#column > indent || (this.#column === indent && !this.#afterBlank))
      this.#break();
    if (this.#column < indent) this.#put(' '.repeat(indent - this.#column));
    this.#afterBlank = true;
    this.#atIndent = true;
  }

  #break(): void {
    this.#output += '\n';
    this.#column = 0;
    this.#afterBlank = true;
    this.#atIndent = true;
  }

  #put(text: string): void {
    this.#output += text;
    for (const _ of text) this.#column++;
  }
}

const BREAKS = '\n\r\u0085\u2028\u2029';

function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

/** Properties of a text that determine its style. */
interface Analysis {
  readonly multiline: boolean;
  readonly plainAllowed: boolean;
  readonly singleAllowed: boolean;
  readonly literalAllowed: boolean;
}

const FIRST_INDICATOR = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t]|$))/;
const INNER_INDICATOR = /.:(?:[ \t]|$)|[\s\u0085]#/s;
const SPACE_BEFORE_BREAK = /[ ][\n\r\u0085\u2028\u2029]/;
const SPACE_BEHIND_BREAK = /[\n\r\u0085\u2028\u2029][ ]/;
const EDGE = /^[ \n\r\u0085\u2028\u2029]|[ \n\r\u0085\u2028\u2029]$/;
const ANY_BREAK = /[\n\r\u0085\u2028\u2029]/;
const UNPRINTABLE = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

function analyze(text: string): Analysis {
  const special = UNPRINTABLE.test(text) || SPACE_BEFORE_BREAK.test(text);
  const breakSpace = SPACE_BEHIND_BREAK.test(text);
  const multiline = ANY_BREAK.test(text);
  const indicators = FIRST_INDICATOR.test(text) || INNER_INDICATOR.test(text);
  const singleAllowed = !special && !breakSpace;
  return {
    multiline,
    plainAllowed: singleAllowed && !multiline && !indicators && !EDGE.test(text),
    singleAllowed,
    literalAllowed: text !== '' && !special && !text.endsWith(' '),
  };
}

const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

function styleOf(text: string, isKey: boolean): 'plain' | 'single' | 'double' | 'literal' {
  const { multiline, plainAllowed, singleAllowed, literalAllowed } = analyze(text);
  if (isKey && multiline) return 'double';
  if (text.includes('\n')) return literalAllowed && !isKey ? 'literal' : 'double';
  if (resolvePlain(text).type !== 'str' || BASE_60.test(text)) return 'double';
  if (plainAllowed) return 'plain';
  return singleAllowed ? 'single' : 'double';
}

function literalHints(text: string): string {
  const indent = EDGE.test(text.charAt(0)) ? String(INDENT) : '';
  if (!ANY_BREAK.test(text.slice(-1))) return `${indent}-`;
  return text.length === 1 || ANY_BREAK.test(text.slice(-2, -1)) ? `${indent}+` : indent;
}

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\0', '0'],
  ['\x07', 'a'],
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\v', 'v'],
  ['\f', 'f'],
  ['\r', 'r'],
  ['\x1b', 'e'],
  ['"', '"'],
  ['\\', '\\'],
  ['\x85', 'N'],
  ['\xa0', '_'],
  ['\u2028', 'L'],
  ['\u2029', 'P'],
]);

function mustEscape(character: string): boolean {
  return character === '"' || character === '\\' || BREAKS.includes(character) || UNPRINTABLE.test(character);
}

function escaped(character: string): string {
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return `\\${short}`;
  const code = character.codePointAt(0) ?? 0;
  const [letter, digits] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code
    .toString(16)
    .toUpperCase()
    .padStart(digits as number, '0')}`;
}
