import { work } from '../cost/work.ts';
import { acceptsRune, type Instruction, Op, type PatternProgram, readsRune } from './pattern-program.ts';

/**
 * State of a place between two characters of a text: the instructions from which the rest of the text can be
 * matched.
 */
export interface Place {
  readonly id: number;
  /** By instruction: 1 where a match can be reached from it, here. */
  readonly reaches: Uint8Array;
  /** Whether a match can start here. */
  readonly starts: boolean;
  /** The place before, by the class of the character between and the flags of that place. */
  readonly before: Map<number, Place>;
  /** The instruction that reads a character or matches, by the preceding instruction. */
  readonly choices: Map<number, number>;
}

/** Maximum number of places that are cached for the next text. */
const MAXIMUM_PLACES = 1000;
/** Maximum number of cached classes of characters beyond ASCII. */
const MAXIMUM_CHARACTERS = 4096;
const ASCII = 128;
/** Steps of creating a place, in addition to those of its instructions. */
const PLACE_STEPS = 500;

/**
 * The places that a pattern distinguishes, created on demand: an automaton that reads texts backwards. Its
 * states determine what can still be matched, so that the forward search never takes a dead end.
 */
export class PatternPlaces {
  readonly #program: PatternProgram;
  /** Instructions that precede an instruction without reading. */
  readonly #sources: number[][];
  readonly #readers: readonly number[];
  readonly #matches: readonly number[];
  /** Conditions that distinguish places; 0 where the pattern has none. */
  readonly flags: number;
  readonly #asciiClasses: Int32Array = new Int32Array(ASCII).fill(-1);
  readonly #otherClasses = new Map<number, number>();
  readonly #classes = new Map<string, number>();
  readonly #readersOfClass: (readonly number[])[] = [];
  #places = new Map<string, Place>();

  constructor(program: PatternProgram) {
    const { inst } = program;
    this.#program = program;
    this.#sources = inst.map(() => []);
    let flags = 0;
    for (const [pc, instruction] of inst.entries()) {
      for (const next of silentlyNext(instruction)) this.#sources[next]?.push(pc);
      if (instruction.op === Op.emptyWidth) flags |= instruction.arg;
    }
    this.flags = flags;
    this.#readers = pcsWhere(inst, readsRune);
    this.#matches = pcsWhere(inst, ({ op }) => op === Op.match);
  }

  /** The place after the text. */
  end(flags: number): Place {
    return this.#placeOf([], flags);
  }

  /** The place before a character of the class. */
  beforeRune(place: Place, runeClass: number, flags: number): Place {
    const key = runeClass * 64 + flags;
    const cached = place.before.get(key);
    if (cached) return cached;
    const readers = this.#readersOfClass[runeClass] as readonly number[];
    work(readers.length * 4);
    const { inst } = this.#program;
    const reading = readers.filter((pc) => place.reaches[(inst[pc] as Instruction).out] === 1);
    const preceding = this.#placeOf(reading, flags);
    place.before.set(key, preceding);
    return preceding;
  }

  /** Returns the character class, of those that the pattern distinguishes. */
  classOf(rune: number): number {
    const cached = rune < ASCII ? (this.#asciiClasses[rune] as number) : this.#otherClasses.get(rune);
    if (cached !== undefined && cached >= 0) return cached;
    work(this.#readers.length * 10);
    const { inst } = this.#program;
    const readers = this.#readers.filter((pc) => acceptsRune(inst[pc] as Instruction, rune));
    const key = readers.join();
    const characterClass = this.#classes.get(key) ?? this.#classes.size;
    this.#classes.set(key, characterClass);
    this.#readersOfClass[characterClass] ??= readers;
    if (rune < ASCII) this.#asciiClasses[rune] = characterClass;
    else this.#rememberRune(rune, characterClass);
    return characterClass;
  }

  #rememberRune(rune: number, runeClass: number): void {
    if (this.#otherClasses.size >= MAXIMUM_CHARACTERS) this.#otherClasses.clear();
    this.#otherClasses.set(rune, runeClass);
  }

  /** Follows an instruction to one that reads the next character, or to the match. */
  choose(place: Place, from: number): number {
    const cached = place.choices.get(from);
    if (cached !== undefined) return cached;
    const found = this.#firstLeaf(place, from);
    place.choices.set(from, found);
    return found;
  }

  /** Alternatives are tried in order, and none twice: an empty loop leads nowhere. */
  #firstLeaf(place: Place, from: number): number {
    const { inst } = this.#program;
    const seen = new Set<number>();
    const left = [from];
    for (let pc = left.pop(); pc !== undefined; pc = left.pop()) {
      if (seen.has(pc) || place.reaches[pc] !== 1) continue;
      work(50);
      seen.add(pc);
      const instruction = inst[pc] as Instruction;
      if (instruction.op === Op.match || readsRune(instruction)) return pc;
      left.push(...silentlyNext(instruction).reverse());
    }
    throw new Error('a place promised a match that is not there');
  }

  /** Drops caches that grew too large. Call it between texts only. */
  trim(): void {
    if (this.#places.size > MAXIMUM_PLACES) this.#places = new Map();
  }

  #placeOf(reading: readonly number[], flags: number): Place {
    work(PLACE_STEPS + reading.length * 10);
    const key = `${flags}:${reading.join()}`;
    const cached = this.#places.get(key);
    if (cached) return cached;
    const reaches = this.#reaching(reading, flags);
    const place: Place = {
      id: this.#places.size,
      reaches,
      starts: reaches[this.#program.start] === 1,
      before: new Map(),
      choices: new Map(),
    };
    this.#places.set(key, place);
    return place;
  }

  /** All instructions from which one that reads a character or matches is reachable without reading. */
  #reaching(reading: readonly number[], flags: number): Uint8Array {
    const { inst } = this.#program;
    const reaches = new Uint8Array(inst.length);
    const left = [...this.#matches, ...reading];
    for (const pc of left) reaches[pc] = 1;
    work(inst.length * 4);
    for (let pc = left.pop(); pc !== undefined; pc = left.pop()) {
      for (const source of this.#sources[pc] as readonly number[]) {
        const instruction = inst[source] as Instruction;
        if (reaches[source] === 1 || !holdsAt(instruction, flags)) continue;
        reaches[source] = 1;
        left.push(source);
      }
    }
    return reaches;
  }
}

const holdsAt = ({ op, arg }: Instruction, flags: number): boolean =>
  op !== Op.emptyWidth || (arg & ~flags) === 0;

const pcsWhere = (inst: readonly Instruction[], holds: (instruction: Instruction) => boolean): number[] =>
  inst.flatMap((instruction, pc) => (holds(instruction) ? [pc] : []));

/** The following instructions without reading a character, by preference. */
function silentlyNext(instruction: Instruction): number[] {
  const { op, out, arg } = instruction;
  if (op === Op.match || op === Op.fail || readsRune(instruction)) return [];
  return op === Op.alternative || op === Op.alternativeMatch ? [out, arg] : [out];
}
