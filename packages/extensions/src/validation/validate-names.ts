import { dns1035LabelErrors, type FieldError, FieldErrors } from '@ashlar/core';
import type { DefinitionNames } from '../definitions/custom-resource-definition.ts';

/** Validates the given names; required names are checked by {@link missingNames}. */
export function namesErrors(names: DefinitionNames, path: string): readonly FieldError[] {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names;
  return [
    ...labelErrors(`${path}.plural`, plural),
    ...labelErrors(`${path}.singular`, singular),
    ...kindErrors(`${path}.kind`, kind),
    ...kindErrors(`${path}.listKind`, listKind),
    ...shortNames.flatMap((name, index) => labelErrors(`${path}.shortNames[${index}]`, name, true)),
    ...(kind !== '' && kind === listKind
      ? [FieldErrors.invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...categories.flatMap((name, index) => labelErrors(`${path}.categories[${index}]`, name, true)),
  ];
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
