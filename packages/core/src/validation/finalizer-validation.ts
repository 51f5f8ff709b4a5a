import type { Vocabulary } from '../contracts/vocabulary.ts';
import { type FieldError, FieldErrors, fieldErrorsOf, PrintedValue } from '../errors/field-error.ts';
import { excerpt } from '../text/excerpt.ts';
import { goStringList, sortedSet } from '../text/go-text.ts';
import { qualifiedNameErrors } from './names.ts';

/** Finalizer of an object that is removed only after its dependents. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

/** Finalizer of an object whose dependents are to be orphaned. */
export const ORPHAN_FINALIZER = 'orphan';

/**
 * Validates finalizers: qualified names, and not both propagation policies
 * (semantics/metadata#owners-and-finalizers).
 */
export function validateFinalizers(
  finalizers: readonly string[] | undefined = [],
  field = 'metadata.finalizers',
): readonly FieldError[] {
  const errors = fieldErrorsOf(finalizers, (name) =>
    qualifiedNameErrors(name).map((why) => FieldErrors.invalid(field, name, why)),
  );
  if (!finalizers.includes(ORPHAN_FINALIZER) || !finalizers.includes(FOREGROUND_FINALIZER)) return errors;
  const why = `finalizer ${ORPHAN_FINALIZER} and ${FOREGROUND_FINALIZER} cannot be both set`;
  return [...errors, FieldErrors.invalid(field, new PrintedValue(goStringList(finalizers)), why)];
}

/** The rule of most built-in kinds: a finalizer has a slash or is a standard one. */
export function validateQualifiedFinalizers(
  finalizers: readonly string[] | undefined = [],
  vocabulary: Vocabulary,
  field = 'metadata.finalizers',
): readonly FieldError[] {
  const standard = [vocabulary.name, ORPHAN_FINALIZER, FOREGROUND_FINALIZER];
  const why = 'name is neither a standard finalizer name nor is it fully qualified';
  return fieldErrorsOf(finalizers, (name, index) =>
    name.includes('/') || standard.includes(name)
      ? []
      : [FieldErrors.invalid(`${field}[${index}]`, name, why)],
  );
}

/** Validates that an object being deleted gets no new finalizers. */
export function validateNoNewFinalizers(
  finalizers: readonly string[] | undefined = [],
  before: readonly string[] | undefined = [],
  field = 'metadata.finalizers',
): readonly FieldError[] {
  const existing = new Set(before);
  const added = sortedSet(finalizers).filter((name) => !existing.has(name));
  if (added.length === 0) return [];
  const why = 'no new finalizers can be added if the object is being deleted, found new finalizers';
  return [FieldErrors.forbidden(field, `${why} ${excerpt(goStringList(added))}`)];
}
