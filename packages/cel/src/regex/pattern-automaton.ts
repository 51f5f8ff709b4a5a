import { work } from '../cost/work.ts';
import type { PatternSyntax } from './pattern-syntax.ts';
import type { PositionGraph, Positions } from './position-graph.ts';

/** Maximum number of cached states; beyond it they are computed again. */
const MAX_STATES = 2_000;
const ASCII = 128;
/** Steps per position if a state is not cached. */
const STEPS_PER_POSITION = 100;
/** In place of a next state: not computed yet. */
const UNKNOWN = -1;
/** In place of a next state: the result is decided for any rest. */
const NEVER = -2;
const ALWAYS = -3;

/**
 * Decides whether a pattern matches in a text, reading every character once: a deterministic automaton whose
 * states are sets of positions (Glushkov's construction), created when first reached.
 */
export class PatternAutomaton {
  readonly #graph: PositionGraph;
  readonly #advanceSteps: number;
  readonly #atStart: boolean;
  readonly #atEnd: boolean;
  /**
   * Character class by character code, of those that the pattern distinguishes; the last one is for all
   * others.
   */
  readonly #kindOf: Uint8Array;
  /** For each class, the positions that read it. */
  readonly #readers: readonly Positions[];
  readonly #states = new Map<Positions, number>();
  #positions: Positions[] = [];
  /** The next state by state and class. */
  #next: number[] = [];

  /** @param size - Number of positions of the graph. */
  constructor(graph: PositionGraph, { atStart, atEnd }: PatternSyntax, size: number) {
    this.#graph = graph;
    this.#advanceSteps = 100 + size * STEPS_PER_POSITION;
    this.#atStart = atStart;
    this.#atEnd = atEnd;
    const kinds = new Map<Positions, number>();
    this.#kindOf = new Uint8Array(ASCII + 1);
    for (let code = 0; code <= ASCII; code++) {
      const readers = graph.readersOf(code);
      if (!kinds.has(readers)) kinds.set(readers, kinds.size);
      this.#kindOf[code] = kinds.get(readers) as number;
    }
    this.#readers = [...kinds.keys()];
    this.#stateOf(graph.first);
  }

  /** Whether the pattern matches in the text. */
  test(text: string): boolean {
    const { length } = text;
    work(length * 2);
    const kindOf = this.#kindOf;
    const width = this.#readers.length;
    let table = this.#next;
    let state = 0;
    if (!this.#atEnd && this.#accepts(state)) return true;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      // The second of a surrogate pair is not a character of its own.
      if ((code & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
      const kind = kindOf[code < ASCII ? code : ASCII] as number;
      let next = table[state * width + kind] as number;
      if (next < 0) {
        if (next === UNKNOWN) {
          next = this.#advance(state, kind);
          table = this.#next;
        }
        if (next < 0) return next === ALWAYS;
      }
      state = next;
    }
    return this.#accepts(state);
  }

  #accepts(state: number): boolean {
    return ((this.#positions[state] as Positions) & this.#graph.matched) !== 0n;
  }

  #stateOf(positions: Positions): number {
    const cached = this.#states.get(positions);
    if (cached !== undefined) return cached;
    const state = this.#positions.length;
    this.#states.set(positions, state);
    this.#positions.push(positions);
    for (const _ of this.#readers) this.#next.push(UNKNOWN);
    return state;
  }

  #advance(state: number, kind: number): number {
    work(this.#advanceSteps);
    const reading = (this.#positions[state] as Positions) & (this.#readers[kind] as Positions);
    const next = this.#graph.after(reading) | (this.#atStart ? 0n : this.#graph.first);
    if (this.#positions.length >= MAX_STATES) {
      this.#forget();
      return this.#outcome(next);
    }
    const outcome = this.#outcome(next);
    this.#next[state * this.#readers.length + kind] = outcome;
    return outcome;
  }

  #outcome(positions: Positions): number {
    if (positions === 0n) return NEVER;
    const state = this.#stateOf(positions);
    return !this.#atEnd && this.#accepts(state) ? ALWAYS : state;
  }

  #forget(): void {
    this.#states.clear();
    this.#positions = [];
    this.#next = [];
    this.#stateOf(this.#graph.first);
  }
}
