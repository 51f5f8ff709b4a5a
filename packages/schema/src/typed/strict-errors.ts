import { goQuote } from '@ashlar/core';
import type { ReportStrictFieldError } from './typed-context.ts';

/** Messages of strict decoding in the order of the decoder: `unknown field "spec.foo"`. */
export interface StrictErrors {
  readonly report: ReportStrictFieldError;
  readonly texts: readonly string[];
}

/** Maximum number of errors (semantics/schemas#strictness). */
const MAXIMUM = 100;

/**
 * Collects errors of decoders: without duplicates, at most 100.
 * @example
 * const errors = collectStrictErrors();
 * codec.decode(value, errors.report);
 * if (errors.texts.length > 0) console.log(`strict decoding error: ${errors.texts.join(', ')}`);
 */
export function collectStrictErrors(): StrictErrors {
  return new FoundErrors();
}

/** A class: the engine gives each object literal with a getter a hidden class of its own. */
class FoundErrors implements StrictErrors {
  #texts: Set<string> | undefined;

  readonly report: ReportStrictFieldError = ({ kind, path }) => {
    this.#texts ??= new Set();
    if (this.#texts.size < MAXIMUM) this.#texts.add(`${kind} field ${goQuote(path)}`);
  };

  get texts(): readonly string[] {
    return this.#texts ? [...this.#texts] : NO_TEXTS;
  }
}

const NO_TEXTS: readonly string[] = [];
