import { type FieldError, FieldErrors, jsonSyntaxError } from '@ashlar/core';
import { requireReadable } from './annotated-value.ts';
import { NO_ERRORS } from './field-rules.ts';

/** A value in JSON that an annotation holds. */
export interface AnnotatedValue<T> {
  /** Of the annotation. */
  readonly name: string;
  readonly text: string | undefined;
  /** Where it is said that the text cannot be read. */
  readonly path: string;
  /** @throws if the text is not of the type */
  decode(text: string): T | undefined;
  /** Errors of a value that was read. */
  errorsOf(value: T): readonly FieldError[];
}

/**
 * Errors of an annotation: that its text cannot be read, or those of its value. An empty text is none.
 * @throws ObjectTooLargeError for texts that are too long to be read
 */
export function annotationErrors<T>({
  name,
  text = '',
  path,
  decode,
  errorsOf,
}: AnnotatedValue<T>): readonly FieldError[] {
  if (text === '') return NO_ERRORS;
  requireReadable(text, name);
  const syntax = jsonSyntaxError(new TextEncoder().encode(text));
  if (syntax !== undefined) return [FieldErrors.invalid(path, name, syntax)];
  let value: T | undefined;
  try {
    value = decode(text);
  } catch (error) {
    return [FieldErrors.invalid(path, name, (error as Error).message)];
  }
  return value === undefined ? NO_ERRORS : errorsOf(value);
}
