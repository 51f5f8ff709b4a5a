import type { Steps } from '../contracts/steps.ts';
import { type FieldError, FieldErrors, fieldErrorsOf, fieldErrorsOfSteps } from '../errors/field-error.ts';
import { utf8Length } from '../text/utf8.ts';
import { ErrorsAhead } from './errors-ahead.ts';
import { labelValueErrors, qualifiedNameErrors } from './names.ts';

/**
 * Maximum total size of all annotations of an object in bytes, keys and values
 * (semantics/metadata#labels-and-annotations).
 */
export const ANNOTATIONS_LIMIT_BYTES = 262_144;

type TextMap = Readonly<Record<string, string>>;

/** Labels that are checked between two pauses. */
const LABELS_PER_STEP = 1024;

const ahead = new ErrorsAhead<TextMap>();

/** Validates labels. Errors name the field without the key (semantics/metadata#labels-and-annotations). */
export function validateLabels(labels: TextMap = {}, field = 'metadata.labels'): readonly FieldError[] {
  return (
    ahead.at(labels, field) ??
    fieldErrorsOf(Object.keys(labels), (key) => labelErrors(key, labels[key] as string, field))
  );
}

/** Validates many labels with pauses: `validateLabels` then knows their errors at any field. */
export function* validateLabelsAheadSteps(labels: TextMap): Steps<void> {
  if (ahead.has(labels)) return;
  const check = (key: string): readonly FieldError[] => labelErrors(key, labels[key] as string, '');
  ahead.add(labels, yield* fieldErrorsOfSteps(Object.keys(labels), check, LABELS_PER_STEP));
}

function labelErrors(key: string, value: string, field: string): readonly FieldError[] {
  const [ofKey, ofValue] = [qualifiedNameErrors(key), labelValueErrors(value)];
  if (ofKey.length === 0 && ofValue.length === 0) return NO_ERRORS;
  return [
    ...ofKey.map((why) => FieldErrors.invalid(field, key, why)),
    ...ofValue.map((why) => FieldErrors.invalid(field, value, why)),
  ];
}

const NO_ERRORS: readonly FieldError[] = [];

/** Validates annotations: keys in any case, and their total size. */
export function validateAnnotations(
  annotations: TextMap | undefined,
  field = 'metadata.annotations',
): readonly FieldError[] {
  const entries = Object.entries(annotations ?? {});
  const errors = fieldErrorsOf(entries, ([key]) =>
    qualifiedNameErrors(key.toLowerCase()).map((why) => FieldErrors.invalid(field, key, why)),
  );
  let bytes = 0;
  for (const [key, value] of entries) bytes += utf8Length(key) + utf8Length(value);
  if (bytes > ANNOTATIONS_LIMIT_BYTES) errors.push(FieldErrors.tooLong(field, ANNOTATIONS_LIMIT_BYTES));
  return errors;
}
