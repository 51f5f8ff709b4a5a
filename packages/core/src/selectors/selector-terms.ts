import { ParseError } from '../errors/parse-error.ts';

/** Maximum number of requirements and set values in the query form of a selector. */
export const MAXIMUM_SELECTOR_TERMS = 10_000;

/** Returns the error for a selector with more terms. */
export const tooManyTerms = (): ParseError =>
  new ParseError(`the selector has more than ${MAXIMUM_SELECTOR_TERMS} requirements and values`);
