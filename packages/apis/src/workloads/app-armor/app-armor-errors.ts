import {
  compareUtf8,
  type FieldError,
  FieldErrors,
  goQuote,
  type ObjectMeta,
  type Vocabulary,
} from '@ashlar/core';
import type { PodSpec } from '../core/pod-types.ts';
import { forbiddenWhen, invalidWhen, NO_ERRORS } from '../field-rules.ts';
import type { Container } from '../pods/container-types.ts';
import type { SecurityProfile } from '../pods/security-types.ts';
import { PROFILE_TYPES } from '../shapes/shared/enumerations.ts';
import { annotationFor, appArmorPrefix, CONTAINER_LISTS, LOCALHOST } from './app-armor-annotations.ts';

type Annotations = NonNullable<ObjectMeta['annotations']>;

const annotated = (annotations: Annotations, vocabulary: Vocabulary): readonly string[] =>
  Object.keys(annotations)
    .filter((key) => key.startsWith(appArmorPrefix(vocabulary)))
    .sort(compareUtf8);

const containersOf = (spec: PodSpec): readonly Container[] =>
  CONTAINER_LISTS.flatMap((list) => spec[list] ?? []);

/** Errors of annotations with AppArmor profiles: each has a container and a form that is known. */
export function appArmorAnnotationErrors(
  annotations: Annotations,
  spec: PodSpec,
  vocabulary: Vocabulary,
  path: string,
): readonly FieldError[] {
  const keys = annotated(annotations, vocabulary);
  if (keys.length === 0) return NO_ERRORS;
  const names = new Set(containersOf(spec).map(({ name }) => name));
  return keys.flatMap((key) => {
    const name = key.slice(appArmorPrefix(vocabulary).length);
    const profile = annotations[key] ?? '';
    return [
      ...invalidWhen(!names.has(name), `${path}[${key}]`, name, 'container not found'),
      ...invalidWhen(
        !isForm(profile),
        `${path}[${key}]`,
        profile,
        `invalid AppArmor profile name: ${goQuote(profile)}`,
      ),
    ];
  });
}

const isForm = (profile: string): boolean =>
  ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(LOCALHOST);

/** Errors of changed annotations: profiles are immutable. */
export function appArmorChangesErrors(
  annotations: Annotations,
  before: Annotations,
  vocabulary: Vocabulary,
  path: string,
): readonly FieldError[] {
  const [previousKeys, currentKeys] = [annotated(before, vocabulary), annotated(annotations, vocabulary)];
  return [
    ...previousKeys.flatMap((key) =>
      forbiddenWhen(
        annotations[key] !== before[key],
        `${path}[${key}]`,
        'may not remove or update AppArmor annotations',
      ),
    ),
    ...currentKeys.flatMap((key) =>
      forbiddenWhen(before[key] === undefined, `${path}[${key}]`, 'may not add AppArmor annotations'),
    ),
  ];
}

/** Errors of new containers whose AppArmor profile differs from their annotation. @param path of the pod's spec */
export function appArmorMatchErrors(
  annotations: Annotations,
  spec: PodSpec,
  vocabulary: Vocabulary,
  path: string,
): readonly FieldError[] {
  if (spec.os?.name === 'windows' || annotated(annotations, vocabulary).length === 0) return NO_ERRORS;
  const podProfile = spec.securityContext?.appArmorProfile;
  return CONTAINER_LISTS.flatMap((list) =>
    (spec[list] ?? []).flatMap(({ name = '', securityContext }, i) => {
      const profile = securityContext?.appArmorProfile ?? podProfile;
      const annotation = annotations[appArmorPrefix(vocabulary) + name];
      if (!profile || annotation === undefined) return NO_ERRORS;
      return matchErrors(profile, annotation, `${path}.${list}[${i}].securityContext.appArmorProfile`);
    }),
  );
}

function matchErrors(profile: SecurityProfile, annotation: string, path: string): readonly FieldError[] {
  if (profile.type === 'Localhost' && annotation.startsWith(LOCALHOST))
    return forbiddenWhen(
      annotation !== LOCALHOST + (profile.localhostProfile ?? '') || profile.localhostProfile === undefined,
      `${path}.localhostProfile`,
      'apparmor profile in annotation and field must match',
    );
  const isKnown = PROFILE_TYPES.includes(profile.type ?? '');
  if (!isKnown || annotation === annotationFor(profile)) return NO_ERRORS;
  return [FieldErrors.forbidden(`${path}.type`, 'apparmor type in annotation and field must match')];
}
