import { byteString } from '@ashlar/codec';

/** Characters that all texts may have together; beyond that each is cut. */
const TOTAL_CHARACTERS = 4096;
/** What a text is cut to. */
const CUT_CHARACTERS = 256;
/** Control characters, and halves of characters: texts with them cannot be sent. */
const UNSENDABLE = /[\p{Cc}\p{Cs}]/u;

/** The texts of the Warning headers of one answer: each told once, within a budget (semantics/schemas#warnings). */
export class WarningRecorder {
  readonly #seen: Set<string> = new Set();
  readonly #texts: string[] = [];
  #whole = 0;
  #cut = 0;

  add(text: string): void {
    if (text === '' || this.#isFull() || this.#seen.has(text)) return;
    this.#seen.add(text);
    if (UNSENDABLE.test(text)) return;
    this.#texts.push(text);
    const length = [...text].length;
    this.#whole += length;
    this.#cut += Math.min(length, CUT_CHARACTERS);
  }

  /** Values of the headers, as byte strings. */
  get headers(): readonly string[] {
    const cut = this.#whole > TOTAL_CHARACTERS;
    return this.#texts.map((text) => `299 - ${byteString(quoted(cut ? shortened(text) : text))}`);
  }

  /** Whether even the cut texts have reached the budget. */
  #isFull(): boolean {
    return this.#whole > TOTAL_CHARACTERS && this.#cut >= TOTAL_CHARACTERS;
  }
}

const shortened = (text: string): string => [...text].slice(0, CUT_CHARACTERS).join('');

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
