import {
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  PrintedValue,
  printFieldValue,
} from '../errors/field-error.ts';
import type { OwnerReference } from '../objects/api-object.ts';
import { groupVersionKindText, parseApiVersion } from '../objects/group-version.ts';
import { excerpt } from '../text/excerpt.ts';

/**
 * Validates owner references: complete, at most one controller, not an Event
 * (semantics/metadata#owners-and-finalizers). Errors carry no index.
 */
export function validateOwnerReferences(
  references: readonly OwnerReference[] | undefined = [],
  field = 'metadata.ownerReferences',
): readonly FieldError[] {
  let controller: string | undefined;
  // Each error about two references prints all of them.
  let printed: PrintedValue | undefined;
  return fieldErrorsOf(references, (reference) => {
    const errors = referenceErrors(reference, field);
    if (!reference.controller) return errors;
    const name = excerpt(`${reference.kind ?? ''}/${reference.name ?? ''}`);
    if (controller === undefined) {
      controller = name;
      return errors;
    }
    printed ??= new PrintedValue(printFieldValue(references));
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
    return [...errors, FieldErrors.invalid(field, printed, why)];
  });
}

function referenceErrors(reference: Partial<OwnerReference>, field: string): FieldError[] {
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const errors: FieldError[] = [];
  if (version === '')
    errors.push(FieldErrors.invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty'));
  if (kind === '') errors.push(FieldErrors.invalid(`${field}.kind`, kind, 'kind must not be empty'));
  if (name === '') errors.push(FieldErrors.invalid(`${field}.name`, name, 'name must not be empty'));
  if (uid === '') errors.push(FieldErrors.invalid(`${field}.uid`, uid, 'uid must not be empty'));
  if (group === '' && version === 'v1' && kind === 'Event') {
    const why = `${groupVersionKindText({ group, version, kind })} is disallowed from being an owner`;
    errors.push(FieldErrors.invalid(field, reference, why));
  }
  return errors;
}
