import { JsonPathError } from './json-path-error.ts';

/** Maximum number of values that searches visit: recursive steps multiply. */
const MAXIMUM_VALUES = 200_000;
/** Maximum length of what is printed of the values found, in characters. */
const MAXIMUM_TEXT = 262_144;

/** What searches may do for one object: those of all columns of a row share it. */
export class JsonPathBudget {
  #values = MAXIMUM_VALUES;
  #text = MAXIMUM_TEXT;

  /** Counts values that are looked at. @throws JsonPathError */
  visit(values: number): void {
    this.#values -= values;
    if (this.#values < 0) throw new JsonPathError(`more than ${MAXIMUM_VALUES} values are looked at`);
  }

  /** Counts characters that are printed. @throws JsonPathError */
  print(characters: number): void {
    this.#text -= characters;
    if (this.#text < 0) throw new JsonPathError(`more than ${MAXIMUM_TEXT} characters are printed`);
  }
}
