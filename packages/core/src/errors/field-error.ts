import type { Steps } from '../contracts/steps.ts';
import { excerpt, isBeyondExcerpt } from '../text/excerpt.ts';
import { goNumber } from '../text/go-number.ts';
import { goQuote } from '../text/go-text.ts';

/** Reason of a status cause that concerns a field (semantics/status#reasons). */
export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError';

/** An error of one field; `message` is the text without the path. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** `spec.a[0].b`, `metadata.labels[key]`; `<nil>` for the root. */
  readonly field: string;
  readonly message: string;
}

/** `path: Invalid value: "x": detail`. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${error.message}`;
}

const withDetail = (text: string, detail: string): string => (detail === '' ? text : `${text}: ${detail}`);

/**
 * Constructors of field errors, one per type of semantics/status#reasons. `value` is printed as messages
 * print field values.
 */
export const FieldErrors = {
  required: (field: string, detail = ''): FieldError => ({
    reason: 'FieldValueRequired',
    field,
    message: withDetail('Required value', detail),
  }),
  invalid: (field: string, value: unknown, detail: string): FieldError => ({
    reason: 'FieldValueInvalid',
    field,
    message: withDetail(`Invalid value: ${printFieldValue(value)}`, detail),
  }),
  typeInvalid: (field: string, value: unknown, detail: string): FieldError => ({
    reason: 'FieldValueTypeInvalid',
    field,
    message: withDetail(`Invalid value: ${printFieldValue(value)}`, detail),
  }),
  notSupported: (field: string, value: unknown, supported: readonly string[]): FieldError => ({
    reason: 'FieldValueNotSupported',
    field,
    message: withDetail(
      `Unsupported value: ${printFieldValue(value)}`,
      supported.length > 0 ? `supported values: ${supported.map(goQuote).join(', ')}` : '',
    ),
  }),
  duplicate: (field: string, value: unknown): FieldError => ({
    reason: 'FieldValueDuplicate',
    field,
    message: `Duplicate value: ${printFieldValue(value)}`,
  }),
  notFound: (field: string, value: unknown): FieldError => ({
    reason: 'FieldValueNotFound',
    field,
    message: `Not found: ${printFieldValue(value)}`,
  }),
  forbidden: (field: string, detail: string): FieldError => ({
    reason: 'FieldValueForbidden',
    field,
    message: withDetail('Forbidden', detail),
  }),
  tooLong: (field: string, maximumBytes: number): FieldError => ({
    reason: 'FieldValueTooLong',
    field,
    message:
      maximumBytes < 0
        ? 'Too long: value is too long'
        : `Too long: may not be more than ${maximumBytes} bytes`,
  }),
  tooMany: (field: string, actual: number, maximum: number): FieldError => ({
    reason: 'FieldValueTooMany',
    field,
    message: `Too many: ${actual}: ${maximum < 0 ? 'has too many items' : `must have at most ${maximum} items`}`,
  }),
  internal: (field: string, detail: string): FieldError => ({
    reason: 'InternalError',
    field,
    message: `Internal error: ${detail}`,
  }),
};

/** Maximum number of field errors that a response lists; a final entry says that there are more. */
export const MAXIMUM_FIELD_ERRORS = 100;

/** Returns the errors of items, at most one more than a response lists; further items are not checked. */
export function fieldErrorsOf<T>(
  items: Iterable<T>,
  check: (item: T, index: number) => Iterable<FieldError>,
): FieldError[] {
  const errors: FieldError[] = [];
  let index = 0;
  for (const item of items) {
    for (const error of check(item, index++)) errors.push(error);
    if (errors.length > MAXIMUM_FIELD_ERRORS) break;
  }
  return errors;
}

/** Items that are checked between two pauses. */
const ITEMS_PER_STEP = 64;

/** As {@link fieldErrorsOf}, with a pause after every few items: for checks that take long, or lists that may be. */
export function* fieldErrorsOfSteps<T>(
  items: Iterable<T>,
  check: (item: T, index: number) => Iterable<FieldError>,
  itemsPerStep: number = ITEMS_PER_STEP,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  let index = 0;
  for (const item of items) {
    for (const error of check(item, index++)) errors.push(error);
    if (errors.length > MAXIMUM_FIELD_ERRORS) break;
    if (index % itemsPerStep === 0) yield;
  }
  return errors;
}

/** A value that messages print in a format of its own, without quotes. */
export class PrintedValue {
  readonly text: string;
  /** Characters of it that are printed. */
  readonly maximumLength: number | undefined;
  /** @param maximumLength default: that of all values, two thousand */
  constructor(text: string, maximumLength?: number) {
    this.text = text;
    this.maximumLength = maximumLength;
  }
}

/** A value that messages print in a format of its own, unless it is too large to be shown. */
export const printedBy = <T extends object>(value: T, print: (value: T) => string): T | PrintedValue =>
  isBeyondExcerpt(value) ? value : new PrintedValue(print(value));

/**
 * Prints a value: strings quoted, numbers and booleans bare, nil as `"null"`, lists of texts as in Go, other
 * composites as JSON (semantics/status#reasons leaves their form open). Values of more than two thousand characters are cut, or
 * printed as `{...}`.
 */
export function printFieldValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(excerpt(value));
  if (value === null || value === undefined) return '"null"';
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value);
  if (value instanceof PrintedValue) return excerpt(value.text, value.maximumLength);
  if (typeof value === 'object') return dump(value);
  return String(value);
}

function dump(value: object): string {
  if (isBeyondExcerpt(value)) return Array.isArray(value) ? '[...]' : '{...}';
  return isTexts(value)
    ? `[]string{${value.map(goQuote).join(', ')}}`
    : JSON.stringify(value, integersAsText);
}

const isTexts = (value: object): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');

/** JSON.stringify throws on a bigint, and a message need not be exact. */
const integersAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;
