import { ParseError } from '../errors/parse-error.ts';

/** Requirements, and values in their sets, that the query form of a selector may have together. */
export const MAXIMUM_SELECTOR_TERMS = 10_000;

/** What is said of a selector that has more. */
export const tooManyTerms = (): ParseError =>
  new ParseError(`the selector has more than ${MAXIMUM_SELECTOR_TERMS} requirements and values`);
