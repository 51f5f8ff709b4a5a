import { type FieldError, type JsonValue, runAtOnce, type Schema, type Steps } from '@ashlar/core';
import type { CompilePattern } from '../formats/pattern.ts';
import type { Compiled } from '../structural/compiled-schema.ts';
import { compileValueNode } from './compile-value-node.ts';
import type { Correlation } from './correlation.ts';
import { compileFits, type Fits } from './fits.ts';
import { Pace, type ValueNode } from './value-node.ts';

const NO_ERRORS: readonly FieldError[] = [];

/**
 * Validates in two steps: a fast check whether a value is valid, and the search for errors, compiled when a
 * value is first invalid.
 */
export class TwoStepValidator {
  readonly #fits: Compiled<Fits>;
  readonly #node: Compiled<ValueNode>;

  constructor(schema: Schema, compilePattern: CompilePattern) {
    this.#fits = compileFits(schema, compilePattern);
    this.#node = compileValueNode(schema, compilePattern);
  }

  /** Whether `compileSteps` has nothing left to do. */
  get isCompiled(): boolean {
    return this.#fits.isCompiled;
  }

  /**
   * Compiles the fast check, with pauses.
   * @throws TypeError if the schema has an invalid pattern
   */
  compileSteps(): Steps<void> {
    return this.#fits.compileSteps();
  }

  fits(value: JsonValue): boolean {
    return this.#fits.whole(value);
  }

  errors(value: JsonValue, correlation?: Correlation): readonly FieldError[] {
    return this.fits(value) ? NO_ERRORS : runAtOnce(this.errorsSteps(value, correlation));
  }

  /** The errors of a small value, with pauses if it is the first that has some. */
  *errorsIfAnySteps(value: JsonValue): Steps<readonly FieldError[]> {
    return this.fits(value) ? NO_ERRORS : yield* this.errorsSteps(value);
  }

  *errorsSteps(value: JsonValue, correlation?: Correlation): Steps<readonly FieldError[]> {
    yield* this.#node.compileSteps();
    const errors: FieldError[] = [];
    yield* this.#node.whole.check(value, '', errors, new Pace(), correlation);
    return errors.length === 0 ? NO_ERRORS : withoutRepetitions(errors);
  }
}

/** Combinations can report the same error more than once. */
function withoutRepetitions(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>();
  return errors.filter(({ field, message }) => {
    const text = `${field}\n${message}`;
    return !seen.has(text) && seen.add(text);
  });
}
