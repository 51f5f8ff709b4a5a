import { type FieldError, type JsonValue, runAtOnce, type Steps } from '@ashlar/core';
import type { Correlation } from './correlation.ts';

/** Checks between two pauses. */
const STRIDE = 256;

/** Counts checks, so that they pause now and then. */
export class Pace {
  #checked = 0;

  count(value: JsonValue): void {
    this.#checked += isLongText(value) ? STRIDE : 1;
  }

  /** Whether to pause now; counting begins anew then. */
  isDue(): boolean {
    if (this.#checked < STRIDE) return false;
    this.#checked = 0;
    return true;
  }
}

/** Whether a text takes as long as many values. */
export const isLongText = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' && value.length > 4096;

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
