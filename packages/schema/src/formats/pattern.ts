import { goQuote, MAXIMUM_PATTERN_SIZE, PATTERN_TOO_LARGE, patternSize } from '@ashlar/core';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** A compiled pattern: whether it matches anywhere in a text. */
export interface Pattern {
  test(text: string): boolean;
}

/**
 * Compiles a pattern of a schema (RE2 syntax). Patterns come from users: an engine that backtracks can be
 * made to hang, so alternatives to {@link compileLinearPattern} should run in linear time too.
 * @throws if the pattern is invalid; the message is that of RE2
 */
export type CompilePattern = (pattern: string) => Pattern;

/** Most schemas share the same few patterns (names, quantities, times), and each costs some kilobytes. */
const compiled = new LRUCache<string, Pattern>({
  max: 500,
  maxSize: 5 * MAXIMUM_PATTERN_SIZE,
  sizeCalculation: (_, source) => patternSize(source) + 1,
});

/**
 * Compiles a pattern in the syntax of RE2, without look-around and back references, which matches in time
 * linear in the text (semantics/schemas#structural-rules, #validation-texts). Recent patterns are cached. The
 * size of compiled patterns is limited.
 *
 * @throws Error ``error parsing regexp: missing closing ): `(a` ``
 */
export const compileLinearPattern: CompilePattern = (pattern) => {
  const cached = compiled.get(pattern);
  if (cached) return cached;
  const result = compileAnew(pattern);
  compiled.set(pattern, result);
  return result;
};

function compileAnew(pattern: string): Pattern {
  // stored patterns may be larger than new ones
  if (patternSize(pattern) > MAXIMUM_PATTERN_SIZE) throw new Error(PATTERN_TOO_LARGE);
  const expression = RE2JS.compile(pattern);
  return { test: (text) => expression.test(text) };
}

/**
 * Compiles the pattern of a schema.
 * @throws TypeError that names an invalid pattern
 */
export function patternOf(source: string, compile: CompilePattern): Pattern {
  try {
    return compile(source);
  } catch (error) {
    throw new TypeError(`the schema has the pattern ${goQuote(source)}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
