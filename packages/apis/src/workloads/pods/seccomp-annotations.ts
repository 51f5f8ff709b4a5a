import {
  compareUtf8,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  type ObjectMeta,
  type Vocabulary,
} from '@ashlar/core';
import type { PodSpec } from '../core/pod-types.ts';
import { forbiddenWhen, NO_ERRORS } from '../field-rules.ts';
import { containersOf } from './operating-system.ts';
import type { SecurityProfile } from './security-types.ts';
import { relativePath } from './volumes/file-paths.ts';

/** The annotation that was the seccomp profile of a pod before there was a field. */
export const seccompAnnotation = ({ labelDomain }: Vocabulary): string =>
  `seccomp.security.alpha.${labelDomain}/pod`;

/** Prefix of those that were the profiles of containers. */
const containerPrefix = ({ labelDomain }: Vocabulary): string =>
  `container.seccomp.security.alpha.${labelDomain}/`;

/** The annotation that was the seccomp profile of a container. */
export const containerSeccompAnnotation = (container: string, vocabulary: Vocabulary): string =>
  containerPrefix(vocabulary) + container;

/** Errors of annotations with seccomp profiles: they do nothing anymore, but their form is still validated (semantics/verbs#profiles-of-seccomp). */
export function seccompAnnotationErrors(
  annotations: NonNullable<ObjectMeta['annotations']>,
  vocabulary: Vocabulary,
  path: string,
): readonly FieldError[] {
  return annotated(annotations, vocabulary).flatMap((key) =>
    profileErrors(annotations[key] ?? '', `${path}.${key}`),
  );
}

/** The annotations with profiles, that of the pod first. */
function annotated(
  annotations: NonNullable<ObjectMeta['annotations']>,
  vocabulary: Vocabulary,
): readonly string[] {
  const [ofPod, prefix] = [seccompAnnotation(vocabulary), containerPrefix(vocabulary)];
  const ofContainers = Object.keys(annotations).filter((key) => key.startsWith(prefix));
  return [...(annotations[ofPod] === undefined ? [] : [ofPod]), ...ofContainers.sort(compareUtf8)];
}

/** Errors of profiles that differ from their annotation. @param path of the pod's spec */
export function seccompMatchErrors(
  annotations: NonNullable<ObjectMeta['annotations']>,
  spec: PodSpec,
  vocabulary: Vocabulary,
  path: string,
): readonly FieldError[] {
  if (annotated(annotations, vocabulary).length === 0) return NO_ERRORS;
  const place = 'securityContext.seccompProfile';
  return [
    ...matchErrors(
      spec.securityContext?.seccompProfile,
      annotations[seccompAnnotation(vocabulary)],
      `${path}.${place}`,
    ),
    ...fieldErrorsOf(containersOf(spec, path), ([{ name = '', securityContext }, at]) =>
      matchErrors(
        securityContext?.seccompProfile,
        annotations[containerSeccompAnnotation(name, vocabulary)],
        `${at}.${place}`,
      ),
    ),
  ];
}

/** Values of the annotations that are profiles without a name. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  Unconfined: ['unconfined'],
  RuntimeDefault: ['runtime/default', 'docker/default'],
};

function matchErrors(
  profile: SecurityProfile | undefined,
  annotation: string | undefined,
  path: string,
): readonly FieldError[] {
  if (!profile || annotation === undefined) return NO_ERRORS;
  const { type = '', localhostProfile } = profile;
  if (type === 'Localhost' && annotation.startsWith(LOCALHOST))
    return forbiddenWhen(
      annotation.slice(LOCALHOST.length) !== localhostProfile,
      `${path}.localhostProfile`,
      'seccomp profile in annotation and field must match',
    );
  const values = type === 'Localhost' ? [] : Object.hasOwn(VALUES, type) ? VALUES[type] : undefined;
  return forbiddenWhen(
    values !== undefined && !values.includes(annotation),
    `${path}.type`,
    'seccomp type in annotation and field must match',
  );
}

const KNOWN: readonly string[] = ['runtime/default', 'docker/default', 'unconfined'];
const LOCALHOST = 'localhost/';

function profileErrors(profile: string, path: string): readonly FieldError[] {
  if (KNOWN.includes(profile)) return NO_ERRORS;
  if (profile.startsWith(LOCALHOST)) return relativePath(path, profile.slice(LOCALHOST.length));
  return [FieldErrors.invalid(path, profile, 'must be a valid seccomp profile')];
}
