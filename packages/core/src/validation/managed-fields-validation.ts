import { type FieldError, FieldErrors, fieldErrorsOf } from '../errors/field-error.ts';
import type { ManagedFieldsEntry } from '../objects/api-object.ts';
import { utf8Length } from '../text/utf8.ts';
import { validateFieldManager } from './field-manager-name.ts';

const SUBRESOURCE_LIMIT_BYTES = 256;

/** Validates the records of field ownership (semantics/metadata#owners-and-finalizers). */
export function validateManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined = [],
  field = 'metadata.managedFields',
): readonly FieldError[] {
  return fieldErrorsOf(entries, (entry, index) => entryErrors(entry, `${field}[${index}]`));
}

function entryErrors(entry: ManagedFieldsEntry, field: string): FieldError[] {
  const { manager = '', subresource = '' } = entry;
  const operation: string = entry.operation ?? '';
  const fieldsType: string = entry.fieldsType ?? '';
  const errors: FieldError[] = [];
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(FieldErrors.invalid(`${field}.operation`, operation, 'must be `Apply` or `Update`'));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(FieldErrors.invalid(`${field}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
  }
  errors.push(...validateFieldManager(manager, `${field}.manager`));
  if (utf8Length(subresource) > SUBRESOURCE_LIMIT_BYTES) {
    errors.push(FieldErrors.tooLong(`${field}.subresource`, SUBRESOURCE_LIMIT_BYTES));
  }
  return errors;
}
