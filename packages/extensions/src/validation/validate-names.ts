import { dns1035LabelErrors, type FieldError, FieldErrors, fieldErrorsOf } from '@ashlar/core';
import type { DefinitionNames } from '../definitions/custom-resource-definition.ts';

/**
 * Maximum number of short names, and of categories: far more than anybody types. Every server and every reader of discovery works on all
 * of them whenever the definition changes.
 */
const MAXIMUM_NAMES = 2_500;

/**
 * Validates the given names; required names are checked by {@link missingNames}.
 * @param stored names that the definition has had: as many as there are already may stay
 */
export function namesErrors(
  names: DefinitionNames,
  path: string,
  stored?: DefinitionNames,
): readonly FieldError[] {
  const { plural, singular = '', kind, listKind = '' } = names;
  return [
    ...labelErrors(`${path}.plural`, plural),
    ...labelErrors(`${path}.singular`, singular),
    ...kindErrors(`${path}.kind`, kind),
    ...kindErrors(`${path}.listKind`, listKind),
    ...listErrors(`${path}.shortNames`, names.shortNames, stored?.shortNames),
    ...(kind !== '' && kind === listKind
      ? [FieldErrors.invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...listErrors(`${path}.categories`, names.categories, stored?.categories),
  ];
}

function listErrors(
  path: string,
  names: readonly string[] = [],
  stored: readonly string[] = [],
): readonly FieldError[] {
  if (names.length > Math.max(MAXIMUM_NAMES, stored.length))
    return [FieldErrors.tooMany(path, names.length, MAXIMUM_NAMES)];
  return fieldErrorsOf(names, (name, index) => labelErrors(`${path}[${index}]`, name, true));
}

/** Returns the required name of a definition. */
export function missingNames(names: DefinitionNames, path: string): readonly FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((name) => !names[name])
    .map((name) => FieldErrors.required(`${path}.${name}`));
}

function labelErrors(path: string, name: string, even?: boolean): readonly FieldError[] {
  if (name === '' && !even) return [];
  const errors = dns1035LabelErrors(name);
  return errors.length === 0 ? [] : [FieldErrors.invalid(path, name, errors.join(','))];
}

function kindErrors(path: string, kind: string): readonly FieldError[] {
  const errors = kind === '' ? [] : dns1035LabelErrors(kind.toLowerCase());
  if (errors.length === 0) return [];
  return [
    FieldErrors.invalid(path, kind, `may have mixed case, but should otherwise match: ${errors.join(',')}`),
  ];
}
