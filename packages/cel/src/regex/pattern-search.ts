import { work } from '../cost/work.ts';
import { PatternPlaces, type Place } from './pattern-places.ts';
import { type Instruction, NO_RUNE, Op, type PatternProgram, placeFlags } from './pattern-program.ts';

/** Steps for every character of a text that is read backwards. */
const STEPS_PER_CHARACTER = 10;

/**
 * Finds all parts of a text that match, in time linear in the text. Searching for one after the other is not: to prefer
 * the first alternative of `a*x|a` every search reads on to where no `x` comes. So the text is read backwards once, which
 * determines for every place what can be matched from there, and then forwards along ways that are known to lead to a match.
 */
export class PatternSearch {
  readonly #program: PatternProgram;
  readonly #places: PatternPlaces;

  constructor(program: PatternProgram) {
    this.#program = program;
    this.#places = new PatternPlaces(program);
  }

  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean {
    let found = false;
    this.#readBackwards(text, (_, place) => {
      found ||= place.starts;
      return !found;
    });
    return found;
  }

  /**
   * The first `limit` parts that match, not overlapping, all of them when the limit is negative. Nothing is found where
   * the part before ended, unless it has a character.
   */
  find(text: string, limit: number): string[] {
    const places = new Array<Place | undefined>(text.length + 1);
    this.#readBackwards(text, (position, place) => {
      places[position] = place;
      return true;
    });
    const found: string[] = [];
    let lastEnd = -1;
    for (let start = 0; start <= text.length && found.length !== limit; ) {
      if (!places[start]?.starts) {
        start++;
        continue;
      }
      const end = this.#endOf(text, start, places);
      if (end > start || start !== lastEnd) found.push(text.slice(start, end));
      lastEnd = end;
      start = end > start ? end : start + 1;
    }
    this.#places.trim();
    return found;
  }

  /** Returns the end of the match that starts at a place. */
  #endOf(text: string, start: number, places: readonly (Place | undefined)[]): number {
    const { inst } = this.#program;
    let pc = this.#program.start;
    for (let position = start; ; ) {
      pc = this.#places.choose(places[position] as Place, pc);
      const instruction = inst[pc] as Instruction;
      if (instruction.op === Op.match) return position;
      position += (text.codePointAt(position) as number) > 0xffff ? 2 : 1;
      pc = instruction.out;
    }
  }

  /** Visits the places of a text from its end on, until a visit says to stop. */
  #readBackwards(text: string, visit: (position: number, place: Place) => boolean): void {
    work(text.length * STEPS_PER_CHARACTER);
    const places = this.#places;
    const { flags } = places;
    let position = text.length;
    let rune = runeBefore(text, position);
    let place = places.end(flags === 0 ? 0 : placeFlags(rune, NO_RUNE) & flags);
    while (visit(position, place) && position > 0) {
      const runeClass = places.classOf(rune);
      position -= rune > 0xffff ? 2 : 1;
      const before = runeBefore(text, position);
      place = places.beforeRune(place, runeClass, flags === 0 ? 0 : placeFlags(before, rune) & flags);
      rune = before;
    }
  }
}

/** The character that ends at a position. */
function runeBefore(text: string, position: number): number {
  if (position === 0) return NO_RUNE;
  const unit = text.charCodeAt(position - 1);
  if ((unit & 0xfc00) !== 0xdc00 || position === 1) return unit;
  const pair = text.codePointAt(position - 2) as number;
  return pair > 0xffff ? pair : unit;
}
