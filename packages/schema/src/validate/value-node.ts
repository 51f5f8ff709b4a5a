import { type FieldError, type JsonValue, runAtOnce, type Steps } from '@ashlar/core';
import type { Correlation } from './correlation.ts';

/** Counts what was checked, so that the check pauses now and then. */
export class Pace {
  #checked = 0;

  /** Whether to pause after a value. */
  isPause(value: JsonValue): boolean {
    return (++this.#checked & 255) === 0 || (typeof value === 'string' && value.length > 4096);
  }
}

/**
 * Checks a value and what is inside of it. Errors are appended, the first hundred or few more; the result says how many checks
 * went well, by which the alternative that came nearest is found (semantics/schemas#validation-texts).
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
