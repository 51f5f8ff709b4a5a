import { byteString } from '@ashlar/codec';
import { isSendable, warningHeader } from '@ashlar/lifecycle';

/** Maximum characters of all texts; beyond that each is truncated. */
const TOTAL_CHARACTERS = 4096;
/** Maximum characters of a truncated text. */
const TRUNCATED_CHARACTERS = 256;

/** Collects the Warning headers of one response: each text once, within a budget (semantics/schemas#warnings). */
export class WarningRecorder {
  readonly #added: Set<string> = new Set();
  readonly #texts: string[] = [];
  #characters = 0;
  #truncatedCharacters = 0;

  add(text: string): void {
    if (text === '' || this.#isFull() || this.#added.has(text)) return;
    this.#added.add(text);
    if (!isSendable(text)) return;
    const isLong =
      text.length > TOTAL_CHARACTERS && charactersOf(text, TOTAL_CHARACTERS).length < text.length;
    // nothing but its beginning is ever sent
    const sent = isLong ? truncated(text) : text;
    this.#texts.push(sent);
    const length = [...sent].length;
    this.#characters += isLong ? TOTAL_CHARACTERS + 1 : length;
    this.#truncatedCharacters += Math.min(length, TRUNCATED_CHARACTERS);
  }

  /** Values of the headers, as byte strings. */
  get headers(): readonly string[] {
    const isTruncated = this.#characters > TOTAL_CHARACTERS;
    return this.#texts.map((text) => byteString(warningHeader(isTruncated ? truncated(text) : text)));
  }

  /** Whether even the truncated texts have reached the budget. */
  #isFull(): boolean {
    return this.#characters > TOTAL_CHARACTERS && this.#truncatedCharacters >= TOTAL_CHARACTERS;
  }
}

const truncated = (text: string): string => charactersOf(text, TRUNCATED_CHARACTERS);

/** The first characters of a text, at most so many; of the rest nothing is read. */
function charactersOf(text: string, count: number): string {
  let units = 0;
  for (let i = 0; i < count && units < text.length; i++)
    units += (text.codePointAt(units) as number) > 0xffff ? 2 : 1;
  return text.slice(0, units);
}
