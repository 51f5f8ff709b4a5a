import type { Steps } from '../contracts/steps.ts';
import { type FieldError, FieldErrors, fieldErrorsOf, fieldErrorsOfSteps } from '../errors/field-error.ts';
import { memberNames } from '../json/member-names.ts';
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
    fieldErrorsOf(memberNames(labels), (key) => labelErrors(key, labels[key] as string, field))
  );
}

/** Validates many labels with pauses: `validateLabels` then knows their errors at any field. */
export function* validateLabelsAheadSteps(labels: TextMap): Steps<void> {
  if (ahead.has(labels)) return;
  const check = (key: string): readonly FieldError[] => labelErrors(key, labels[key] as string, '');
  ahead.add(labels, yield* fieldErrorsOfSteps(memberNames(labels), check, LABELS_PER_STEP));
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

const annotationsAhead = new ErrorsAhead<TextMap>();

/** Validates annotations: keys in any case, and their total size. */
export function validateAnnotations(
  annotations: TextMap = {},
  field = 'metadata.annotations',
): readonly FieldError[] {
  const known = annotationsAhead.at(annotations, field);
  if (known) return known;
  const errors = fieldErrorsOf(memberNames(annotations), (key) => annotationErrors(key, field));
  return [...errors, ...sizeErrors(annotations, field)];
}

/** Validates many annotations with pauses: `validateAnnotations` then knows their errors. */
export function* validateAnnotationsAheadSteps(annotations: TextMap): Steps<void> {
  if (annotationsAhead.has(annotations)) return;
  const check = (key: string): readonly FieldError[] => annotationErrors(key, '');
  const errors = yield* fieldErrorsOfSteps(memberNames(annotations), check, LABELS_PER_STEP);
  yield;
  annotationsAhead.add(annotations, [...errors, ...sizeErrors(annotations, '')]);
}

const annotationErrors = (key: string, field: string): readonly FieldError[] =>
  qualifiedNameErrors(key.toLowerCase()).map((why) => FieldErrors.invalid(field, key, why));

function sizeErrors(annotations: TextMap, field: string): readonly FieldError[] {
  let bytes = 0;
  for (const key of memberNames(annotations))
    bytes += utf8Length(key) + utf8Length(annotations[key] as string);
  return bytes > ANNOTATIONS_LIMIT_BYTES ? [FieldErrors.tooLong(field, ANNOTATIONS_LIMIT_BYTES)] : NO_ERRORS;
}
