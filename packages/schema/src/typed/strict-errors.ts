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
  const texts = new Set<string>();
  return {
    report({ kind, path }) {
      if (texts.size < MAXIMUM) texts.add(`${kind} field ${goQuote(path)}`);
    },
    get texts() {
      return [...texts];
    },
  };
}
