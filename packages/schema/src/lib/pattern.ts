import { goQuote } from '@ashlar/core';

/** A compiled pattern: whether it matches somewhere in a text. */
export interface Pattern {
  test(text: string): boolean;
}

/**
 * Compiles a pattern of a schema (RE2 syntax). Patterns come from users: an engine that backtracks can be made to hang by
 * them, so hosts hand in one that runs in linear time.
 * @throws when the pattern is none
 */
export type CompilePattern = (pattern: string) => Pattern;

/** Refuses every pattern. */
export const refusePatterns: CompilePattern = (pattern) => {
  throw new TypeError(
    `the schema has the pattern ${goQuote(pattern)}: pass the option compilePattern with an engine of linear time`,
  );
};
