import { type FieldError, type FieldErrorReason, FieldErrors, MAXIMUM_FIELD_ERRORS } from '@ashlar/core';

const UNSAFE: ReadonlySet<FieldErrorReason> = new Set<FieldErrorReason>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/**
 * Whether rules cannot be run on an object: they rely on its types, required fields and sizes
 * (semantics/schemas#rules). At the maximum number of errors further ones are unknown.
 */
export function unsafeForRules(errors: readonly FieldError[], found: readonly FieldError[] = []): boolean {
  return errors.length >= MAXIMUM_FIELD_ERRORS || errors.some(isUnsafe) || found.some(isUnsafe);
}

const isUnsafe = ({ reason }: FieldError): boolean => UNSAFE.has(reason);

/** Reported in place of the rules' errors. */
export const uncheckedError: FieldError = FieldErrors.invalid(
  '<nil>',
  'null',
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);
