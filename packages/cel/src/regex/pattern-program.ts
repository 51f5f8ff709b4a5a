import type { RE2JS } from 're2js';

/** Instructions of a compiled pattern, by their numbers. */
export const Op = {
  alternative: 1,
  alternativeMatch: 2,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  rune: 8,
  rune1: 9,
  anyRune: 10,
  anyRuneNotNewline: 11,
} as const;

/** An instruction of a compiled pattern. */
export interface Instruction {
  readonly op: number;
  /** The instruction after it. */
  readonly out: number;
  /** The second choice of an alternative; of an empty width, the condition on the place. */
  readonly arg: number;
  readonly runes: ArrayLike<number>;
  matchRune(rune: number): boolean;
}

/** A compiled pattern: Thompson's automaton with alternatives in order of preference. */
export interface PatternProgram {
  readonly inst: readonly Instruction[];
  readonly start: number;
}

/** The program that a pattern was compiled to. */
export function programOf(pattern: RE2JS): PatternProgram {
  return pattern.re2Input.prog as PatternProgram;
}

/** Whether an instruction reads a character. */
export function readsRune({ op }: Instruction): boolean {
  return op >= Op.rune && op <= Op.anyRuneNotNewline;
}

/** Whether a reading instruction accepts this character. */
export function acceptsRune(instruction: Instruction, rune: number): boolean {
  switch (instruction.op) {
    case Op.anyRune:
      return true;
    case Op.anyRuneNotNewline:
      return rune !== NEWLINE;
    case Op.rune1:
      return rune === instruction.runes[0];
    default:
      return instruction.matchRune(rune);
  }
}

const NEWLINE = 0x0a;
/** Stands for the character before the text and after it. */
export const NO_RUNE = -1;

/** Returns the conditions at a place between two characters as bits: start and end of a line, of the text and of a word. */
export function placeFlags(before: number, after: number): number {
  let flags = isWord(before) === isWord(after) ? 32 : 16;
  if (before === NO_RUNE) flags |= 4 | 1;
  else if (before === NEWLINE) flags |= 1;
  if (after === NO_RUNE) flags |= 8 | 2;
  else if (after === NEWLINE) flags |= 2;
  return flags;
}

const isWord = (rune: number): boolean =>
  (rune >= 0x30 && rune <= 0x39) ||
  (rune >= 0x41 && rune <= 0x5a) ||
  (rune >= 0x61 && rune <= 0x7a) ||
  rune === 0x5f;
