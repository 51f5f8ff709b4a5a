import { type FieldError, FieldErrors } from './field-error.ts';
import { labelValueErrors, qualifiedNameErrors } from './names.ts';
import { utf8Length } from './utf8.ts';

/** Bytes that the keys and values of all annotations of an object may take together (semantics B4). */
export const ANNOTATIONS_LIMIT_BYTES = 262_144;

type TextMap = Readonly<Record<string, string>>;

/** Validates labels. Errors carry the field without the key (semantics B4). */
export function validateLabels(
  labels: TextMap | undefined,
  field = 'metadata.labels',
): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    for (const why of qualifiedNameErrors(key)) errors.push(FieldErrors.invalid(field, key, why));
    for (const why of labelValueErrors(value)) errors.push(FieldErrors.invalid(field, value, why));
  }
  return errors;
}

/** Validates annotations: keys in any case, and the size of them all. */
export function validateAnnotations(
  annotations: TextMap | undefined,
  field = 'metadata.annotations',
): readonly FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    for (const why of qualifiedNameErrors(key.toLowerCase()))
      errors.push(FieldErrors.invalid(field, key, why));
    bytes += utf8Length(key) + utf8Length(value);
  }
  if (bytes > ANNOTATIONS_LIMIT_BYTES) errors.push(FieldErrors.tooLong(field, ANNOTATIONS_LIMIT_BYTES));
  return errors;
}
