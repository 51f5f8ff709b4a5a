import { choiceErrors, type FieldError, FieldErrors, trimSpace, utf8Length } from '@ashlar/core';
import { invalidWhen, NO_ERRORS, requiredWhen } from '../field-rules.ts';
import { PROFILE_TYPES } from '../shapes/shared/enumerations.ts';
import type { SecurityProfile } from './security-types.ts';
import { relativePath } from './volumes/file-paths.ts';

// Profiles of seccomp and AppArmor: that of the runtime, none, or one of the host's by its name.

function typeErrors(type: string | undefined, field: string, path: string): readonly FieldError[] {
  if (!type) return [FieldErrors.required(path, `type is required when ${field} is set`)];
  return choiceErrors(path, type, PROFILE_TYPES);
}

/** Errors of a seccomp profile. */
export function seccompErrors(profile: SecurityProfile | undefined, path: string): readonly FieldError[] {
  if (!profile) return NO_ERRORS;
  const { type, localhostProfile } = profile;
  return [
    ...typeErrors(type, 'seccompProfile', `${path}.type`),
    ...seccompFileErrors(profile, `${path}.localhostProfile`),
    ...invalidWhen(
      type !== 'Localhost' && localhostProfile !== undefined,
      `${path}.localhostProfile`,
      profile,
      'can only be set when seccomp type is Localhost',
    ),
  ];
}

function seccompFileErrors({ type, localhostProfile }: SecurityProfile, path: string): readonly FieldError[] {
  if (type !== 'Localhost') return NO_ERRORS;
  return localhostProfile === undefined
    ? [FieldErrors.required(path, 'must be set when seccomp type is Localhost')]
    : relativePath(path, localhostProfile);
}

const LONGEST_NAME_BYTES = 4095;

/** Errors of an AppArmor profile. */
export function appArmorErrors(profile: SecurityProfile | undefined, path: string): readonly FieldError[] {
  if (!profile) return NO_ERRORS;
  const { type, localhostProfile } = profile;
  if (type === 'Localhost') return appArmorNameErrors(localhostProfile, `${path}.localhostProfile`);
  const wrong = typeErrors(type, 'appArmorProfile', `${path}.type`);
  return wrong.length > 0
    ? wrong
    : invalidWhen(
        localhostProfile !== undefined,
        `${path}.localhostProfile`,
        localhostProfile,
        'can only be set when AppArmor type is Localhost',
      );
}

function appArmorNameErrors(name: string | undefined, path: string): readonly FieldError[] {
  const missing = 'must be set when AppArmor type is Localhost';
  if (name === undefined) return requiredWhen(true, path, missing);
  const trimmed = trimSpace(name);
  return [
    ...(trimmed === name
      ? requiredWhen(name === '', path, missing)
      : [FieldErrors.invalid(path, name, 'must not be padded with whitespace')]),
    ...(utf8Length(name) > LONGEST_NAME_BYTES ? [FieldErrors.tooLong(path, LONGEST_NAME_BYTES)] : NO_ERRORS),
  ];
}
