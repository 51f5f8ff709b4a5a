import { type FieldError, type JsonValue, runAtOnce, type Steps } from '@ashlar/core';
import type { Correlation } from './correlation.ts';

/** Counts checks, so that they pause now and then. */
export class Pace {
  #checked = 0;

  /** Whether to pause after a value. */
  isPause(value: JsonValue): boolean {
    return (++this.#checked & 255) === 0 || (typeof value === 'string' && value.length > 4096);
  }
}

/**
 * Checks a value and its contents. Errors are appended, the first hundred or few more; returns the number of
 * passed checks, by which the nearest alternative is found (semantics/schemas#validation-texts).
 */
export interface ValueNode {
  check(
    value: JsonValue,
    path: string,
    errors: FieldError[],
    pace: Pace,
    correlation?: Correlation,
  ): Steps<number>;
}

/** Returns the errors of a value, without pauses. */
export function errorsOf(node: ValueNode, value: JsonValue): readonly FieldError[] {
  const errors: FieldError[] = [];
  runAtOnce(node.check(value, '', errors, new Pace()));
  return errors;
}
