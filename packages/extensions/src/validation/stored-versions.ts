import { type FieldError, FieldErrors, fieldErrorsOf, PrintedValue } from '@ashlar/core';
import { type CustomResourceDefinition, versionsOf } from '../definitions/custom-resource-definition.ts';

const NO_TEXTS = new PrintedValue('[]string(nil)');

/** Validates the versions that a status names as stored: those of the spec, the storage version among them. */
export function storedVersionErrors(definition: CustomResourceDefinition): readonly FieldError[] {
  const path = 'status.storedVersions';
  const stored = definition.status.storedVersions ?? [];
  if (stored.length === 0)
    return [FieldErrors.invalid(path, NO_TEXTS, 'must have at least one stored version')];
  const versions = versionsOf(definition);
  const left = new Set(stored);
  const known = new Set(versions.map(({ name }) => name));
  return [
    // a stored version answers for the first version of its name only
    ...versions.flatMap(({ name, storage }) => {
      const isStored = left.delete(name);
      return storage && !isStored
        ? [FieldErrors.invalid(path, stored, `must have the storage version ${name}`)]
        : [];
    }),
    ...fieldErrorsOf(stored, (name, index) =>
      known.has(name) ? [] : [FieldErrors.invalid(`${path}[${index}]`, name, 'must appear in spec.versions')],
    ),
  ];
}
