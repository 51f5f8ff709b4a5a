import { work } from '../cost/work.ts';
import { PatternPlaces, type Place } from './pattern-places.ts';
import { type Instruction, NO_RUNE, Op, type PatternProgram, placeFlags } from './pattern-program.ts';

/** Steps for every character of a text that is read backwards. */
const STEPS_PER_CHARACTER = 10;
/** Steps of a match that is found. */
const STEPS_PER_MATCH = 50;

/**
 * Finds all matches in a text, in time linear in the text. Searching for one after the other is not linear:
 * to prefer the first alternative of `a*x|a`, every search reads up to a missing `x`. So the text is read
 * backwards once, which determines what can be matched from every place, and then forwards along paths that
 * lead to a match.
 */
export class PatternSearch {
  readonly #program: PatternProgram;
  readonly #places: PatternPlaces;

  constructor(program: PatternProgram) {
    this.#program = program;
    this.#places = new PatternPlaces(program);
  }

  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean {
    let found = false;
    this.#readBackwards(text, (_, place) => {
      found ||= place.starts;
      return !found;
    });
    return found;
  }

  /**
   * The first `limit` non-overlapping matches, all of them if the limit is negative. No empty match starts
   * where the previous one ended.
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
      work(STEPS_PER_MATCH);
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

  /** Visits the places of a text from its end, until a visit returns false. */
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
