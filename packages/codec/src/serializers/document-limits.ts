import { DecodeError } from './decode-error.ts';

/**
 * Default maximum number of values of one document: objects, lists and scalars, not counting names of
 * members. Bodies of real objects have at least a dozen bytes per value, so the largest accepted body stays
 * below.
 */
export const MAXIMUM_DOCUMENT_VALUES: number = 250_000;

/**
 * The same of a YAML document, each of whose values is several tokens: those of real objects have a line for each
 * value, and more than twenty bytes in a line.
 */
export const MAXIMUM_YAML_VALUES: number = 75_000;

/** Maximum number of findings, such as repeated members, that a decoder reports. */
export const MAXIMUM_REPORTED: number = 100;

/** Limits of the decoders of all encodings. */
export interface DocumentLimits {
  /**
   * Maximum number of values of the document, by default {@link MAXIMUM_DOCUMENT_VALUES}, and
   * {@link MAXIMUM_YAML_VALUES} of YAML; beyond it a `DecodeError` of the kind `too-large` is thrown before memory is
   * spent. YAML may have as many lines.
   * Infinity for trusted documents.
   */
  readonly maximumValues?: number;
  /** The same of the members of one object in JSON; by default what {@link maximumMembers} returns. */
  readonly maximumMembers?: number;
}

/**
 * The maximum number of members of one object: an eighth of the values of a document in most encodings, and at least
 * a thousand. An engine copies and lists an object in one step of any size.
 */
export function maximumMembers(maximumValues: number): number {
  return Math.max(maximumValues / 8, 1000);
}

/** The error for a document with too many values. */
export function tooManyValues(maximum: number, what = 'values'): DecodeError {
  return new DecodeError(
    `the document is too large: it has more than ${maximum} ${what}`,
    undefined,
    undefined,
    'too-large',
  );
}
