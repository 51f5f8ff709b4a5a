import { type FieldError, type JsonValue, runAtOnce, type Schema, type Steps } from '@ashlar/core';
import type { CompilePattern } from '../formats/pattern.ts';
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
  readonly #schema: Schema;
  readonly #compilePattern: CompilePattern;
  #fits: Fits | undefined;
  #node: ValueNode | undefined;

  constructor(schema: Schema, compilePattern: CompilePattern) {
    this.#schema = schema;
    this.#compilePattern = compilePattern;
  }

  fits(value: JsonValue): boolean {
    this.#fits ??= compileFits(this.#schema, this.#compilePattern);
    return this.#fits(value);
  }

  errors(value: JsonValue, correlation?: Correlation): readonly FieldError[] {
    return this.fits(value) ? NO_ERRORS : runAtOnce(this.errorsSteps(value, correlation));
  }

  *errorsSteps(value: JsonValue, correlation?: Correlation): Steps<readonly FieldError[]> {
    this.#node ??= compileValueNode(this.#schema, this.#compilePattern);
    const errors: FieldError[] = [];
    yield* this.#node.check(value, '', errors, new Pace(), correlation);
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
