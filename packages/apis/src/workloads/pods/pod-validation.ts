import { type FieldError, FieldErrors, type Vocabulary } from '@ashlar/core';
import { appArmorMatchErrors } from '../app-armor/app-armor-errors.ts';
import type { Pod, PodSpec } from '../core/pod-types.ts';
import { each, forbiddenWhen, NO_ERRORS } from '../field-rules.ts';
import type { Container } from './container-types.ts';
import { imageErrors } from './container-validation.ts';
import { podAnnotationsErrors } from './pod-annotations.ts';
import { podSpecErrors } from './pod-spec.ts';
import { seccompMatchErrors } from './seccomp-annotations.ts';

/** Errors of a new pod. */
export function podErrors(pod: Pod, vocabulary: Vocabulary): readonly FieldError[] {
  const { spec = {} } = pod;
  return [
    ...podContentErrors(pod, vocabulary),
    ...forbiddenWhen(
      (spec.ephemeralContainers?.length ?? 0) > 0,
      'spec.ephemeralContainers',
      'cannot be set on create',
    ),
    ...forbiddenWhen(
      Boolean(spec.nodeName && spec.schedulingGates?.length),
      'spec.nodeName',
      'cannot be set until all schedulingGates have been cleared',
    ),
    ...seccompMatchErrors(pod.metadata.annotations ?? {}, spec, vocabulary, 'spec'),
    ...appArmorMatchErrors(pod.metadata.annotations ?? {}, spec, vocabulary, 'spec'),
  ];
}

/** Errors that new and changed pods can have. */
export function podContentErrors(pod: Pod, vocabulary: Vocabulary): readonly FieldError[] {
  const { metadata, spec = {} } = pod;
  const owner = { vocabulary, isPod: true, ...(metadata.name && { podName: metadata.name }) };
  const images = (name: string, containers: readonly Container[] | null | undefined) =>
    each(`spec.${name}`, containers, imageErrors);
  return [
    ...podAnnotationsErrors(metadata.annotations ?? {}, spec, vocabulary, 'metadata.annotations'),
    ...podSpecErrors(spec, owner, 'spec'),
    ...tokensErrors(spec),
    ...images('containers', spec.containers),
    ...images('initContainers', spec.initContainers),
  ];
}

/** Without a service account a pod has no tokens of one. */
function tokensErrors({ serviceAccountName, volumes }: PodSpec): readonly FieldError[] {
  if (serviceAccountName) return NO_ERRORS;
  return each('spec.volumes', volumes, ({ projected }, volume) =>
    each(`${volume}.projected.sources`, projected?.sources, ({ serviceAccountToken }, at) =>
      serviceAccountToken
        ? [
            FieldErrors.forbidden(
              `${at}.serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          ]
        : NO_ERRORS,
    ),
  );
}
