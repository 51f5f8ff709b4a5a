import { dns1123SubdomainErrors, type FieldError } from '@ashlar/core';
import { forbiddenWhen, optionalFollows, requiredWhen } from '../field-rules.ts';

// Classes of attributes of volumes are a feature that is off: only what is stored with one has one, and is validated.

interface Classed {
  readonly volumeAttributesClassName?: string;
}

const PATH = 'spec.volumeAttributesClassName';

/** Errors of the class of a volume. */
export function volumeClassErrors(spec: Classed & { readonly csi?: unknown }): readonly FieldError[] {
  const { volumeAttributesClassName: name } = spec;
  return [
    ...requiredWhen(name === '', PATH, 'an empty string is disallowed'),
    ...optionalFollows(PATH, name, dns1123SubdomainErrors),
    ...requiredWhen(
      name !== undefined && !spec.csi,
      'spec.csi',
      'has to be specified when using volumeAttributesClassName',
    ),
  ];
}

/** Errors of the class of a claim. */
export const claimClassErrors = ({ volumeAttributesClassName: name }: Classed): readonly FieldError[] =>
  optionalFollows(PATH, name, dns1123SubdomainErrors);

/** Errors of another class than the stored one. @param isEmptied what an empty name is */
export function changedClassErrors(
  { volumeAttributesClassName: name }: Classed,
  { volumeAttributesClassName: before }: Classed,
  isEmptied: 'loss' | 'change',
): readonly FieldError[] {
  if (name === before) return [];
  const loss =
    name === undefined ? 'nil' : name === '' && isEmptied === 'loss' ? 'an empty string' : undefined;
  return [
    ...forbiddenWhen(
      true,
      PATH,
      'update is forbidden when the VolumeAttributesClass feature gate is disabled',
    ),
    ...forbiddenWhen(
      before !== undefined && loss !== undefined,
      PATH,
      `update from non-nil value to ${loss} is forbidden`,
    ),
  ];
}
