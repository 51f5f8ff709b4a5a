import { ParseError } from '../errors/parse-error.ts';

/** Maximum number of requirements and set values in the query form of a selector. */
export const MAXIMUM_SELECTOR_TERMS = 10_000;

/** Maximum number of its requirements alone, each of which is compiled. */
export const MAXIMUM_REQUIREMENTS = 2_500;

/** Returns the error for a selector with more terms. */
export const tooManyTerms = (): ParseError =>
  new ParseError(`the selector has more than ${MAXIMUM_SELECTOR_TERMS} requirements and values`);

/** Returns the error for a selector with more requirements. */
export const tooManyRequirements = (): ParseError =>
  new ParseError(`the selector has more than ${MAXIMUM_REQUIREMENTS} requirements`);
