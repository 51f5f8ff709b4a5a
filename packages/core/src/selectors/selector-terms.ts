import { ParseError } from '../errors/parse-error.ts';

/** Requirements, and values in their sets, that the query form of a selector may have together. */
export const MAXIMUM_SELECTOR_TERMS = 10_000;

/** Returns the error for a selector with more terms. */
export const tooManyTerms = (): ParseError =>
  new ParseError(`the selector has more than ${MAXIMUM_SELECTOR_TERMS} requirements and values`);
