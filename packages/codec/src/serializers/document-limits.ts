import { DecodeError } from './decode-error.ts';

/**
 * Most values that one document may have by default: objects, lists and scalars, each counted; names of members are not. Bodies of
 * objects have at least a dozen bytes for each value, so the largest body that servers accept stays below, unless a client
 * makes it for the work that it is.
 */
export const MAXIMUM_DOCUMENT_VALUES: number = 250_000;

/** Limits of the decoders of all encodings. */
export interface DocumentLimits {
  /**
   * Most values of the document, {@link MAXIMUM_DOCUMENT_VALUES} by default; beyond it a `DecodeError` of the kind `too-large` is
   * thrown before memory is spent. YAML may have as many lines. Infinity for documents of people who are trusted.
   */
  readonly maximumValues?: number;
}

/**
 * The maximum number of members of one object: a fifth of the values that a document may have, and never less than a thousand. An engine copies and lists an object
 * in one piece, however large it is.
 */
export function maximumMembers(maximumValues: number): number {
  return Math.max(maximumValues / 5, 1000);
}

/** The rejection of a document with more values than are read. */
export function tooManyValues(maximum: number, what = 'values'): DecodeError {
  return new DecodeError(
    `the document is too large: it has more than ${maximum} ${what}`,
    undefined,
    undefined,
    'too-large',
  );
}
