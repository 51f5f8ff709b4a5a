import type { YamlCursor } from './yaml-cursor.ts';

/** Reads blanks and breaks between words: preserved on one line, folded over several (YAML 1.1 section 9.1). */
export class YamlFolding {
  readonly #cursor: YamlCursor;
  #start = 0;
  /** The first break; undefined on the first line. */
  #lineBreak: string | undefined;
  #more = '';
  #tabIndent = -1;

  constructor(cursor: YamlCursor) {
    this.#cursor = cursor;
  }

  /**
   * @param isOverLines whether a break precedes, which does not count
   * @param tabIndent column up to which a line may not have tabs
   */
  begin(isOverLines: boolean, tabIndent: number): void {
    this.#start = this.#cursor.at;
    this.#lineBreak = isOverLines ? '' : undefined;
    this.#more = '';
    this.#tabIndent = tabIndent;
  }

  get isOverLines(): boolean {
    return this.#lineBreak !== undefined;
  }

  /** What stands for them in a scalar. */
  get text(): string {
    if (this.#lineBreak === undefined) return this.#cursor.text.slice(this.#start, this.#cursor.at);
    if (this.#lineBreak !== '\n') return this.#lineBreak + this.#more;
    return this.#more === '' ? ' ' : this.#more;
  }

  /** Reads on in the current piece; returns whether the end was reached. */
  run(): boolean {
    const cursor = this.#cursor;
    while (!cursor.isSpent) {
      if (cursor.isBlank()) this.#skipBlanks();
      else if (!cursor.isBreak()) return true;
      else if (this.#lineBreak === undefined) this.#lineBreak = cursor.readBreak();
      else this.#more += cursor.readBreak();
    }
    return false;
  }

  #skipBlanks(): void {
    const cursor = this.#cursor;
    if (this.#lineBreak !== undefined && cursor.column <= this.#tabIndent) {
      cursor.skipSpaces(this.#tabIndent + 1);
      if (cursor.column <= this.#tabIndent && cursor.isTab())
        throw cursor.fault('found a tab character that violates indentation');
    } else cursor.skipBlanks();
  }
}
