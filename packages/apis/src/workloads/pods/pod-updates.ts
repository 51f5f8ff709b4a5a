import { type FieldError, FieldErrors, type Vocabulary } from '@ashlar/core';
import type { Pod, PodSpec } from '../core/pod-types.ts';
import { each, forbiddenWhen, invalidWhen, NO_ERRORS, requiredWhen } from '../field-rules.ts';
import { semanticallyEqual } from '../semantic-equality.ts';
import { podSpec } from '../shapes/core/pod-spec.ts';
import type { Container } from './container-types.ts';
import { imageErrors } from './container-validation.ts';
import { gatedSpec, gatedSpecErrors } from './gated-pods.ts';
import type { Toleration } from './placement-types.ts';
import { annotationChangesErrors, mirrorAnnotation } from './pod-annotations.ts';
import { podContentErrors } from './pod-validation.ts';
import { tolerationsErrors } from './tolerations.ts';

const EPHEMERAL = podSpec.properties?.ephemeralContainers?.items ?? {};

const CHANGEABLE =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,' +
  '`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` ' +
  '(allow it to be set to 1 if it was previously negative)';

/** Errors of an update: hardly any field is mutable. The first kind that is found may be the last. */
export function podUpdateErrors(pod: Pod, stored: Pod, vocabulary: Vocabulary): readonly FieldError[] {
  const { spec = {} } = pod;
  const was = stored.spec ?? {};
  const errors = [...podContentErrors(pod, vocabulary), ...annotationChangesErrors(pod, stored, vocabulary)];
  for (const list of ['containers', 'initContainers'] as const) {
    const path = `spec.${list}`;
    if ((spec[list]?.length ?? 0) !== (was[list]?.length ?? 0))
      return [...errors, FieldErrors.forbidden(path, 'pod updates may not add or remove containers')];
    errors.push(...each(path, spec[list], newImageErrors));
  }
  const deadline = deadlineErrors(spec, was);
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return [...errors, ...deadline];
  return [
    ...errors,
    ...deadline,
    ...addedTolerationsErrors(spec.tolerations ?? [], was.tolerations ?? []),
    ...deletedGatesErrors(spec, was),
    ...restErrors(spec, was),
  ];
}

const newImageErrors = (container: Container, path: string): readonly FieldError[] => [
  ...requiredWhen(!container.image, `${path}.image`),
  ...imageErrors(container, path),
];

const LONGEST_DEADLINE = 2_147_483_647;

/** A deadline can be set, and come nearer. */
function deadlineErrors(spec: PodSpec, was: PodSpec): readonly FieldError[] {
  const path = 'spec.activeDeadlineSeconds';
  const { activeDeadlineSeconds: next } = spec;
  const { activeDeadlineSeconds: before } = was;
  if (next === undefined)
    return invalidWhen(
      before !== undefined,
      path,
      null,
      'must not update from a positive integer to nil value',
    );
  if (next < 0 || next > LONGEST_DEADLINE)
    return [FieldErrors.invalid(path, next, `must be between 0 and ${LONGEST_DEADLINE}, inclusive`)];
  return invalidWhen(
    before !== undefined && before < next,
    path,
    next,
    'must be less than or equal to previous value',
  );
}

function addedTolerationsErrors(
  tolerations: readonly Toleration[],
  before: readonly Toleration[],
): readonly FieldError[] {
  const path = 'spec.tolerations';
  const text = ({ key = '', operator = '', value = '', effect = '' }: Toleration): string =>
    JSON.stringify([key, operator, value, effect]);
  const remaining = new Set(tolerations.map(text));
  return before.every((toleration) => remaining.has(text(toleration)))
    ? tolerationsErrors(tolerations, path)
    : [FieldErrors.forbidden(path, 'existing toleration can not be modified except its tolerationSeconds')];
}

function deletedGatesErrors({ schedulingGates }: PodSpec, was: PodSpec): readonly FieldError[] {
  const before = new Set((was.schedulingGates ?? []).map(({ name }) => name));
  const lastOf = new Map(schedulingGates?.map(({ name }, index) => [name, index]));
  return each('spec.schedulingGates', schedulingGates, ({ name }, at, index) =>
    forbiddenWhen(
      !before.has(name) && lastOf.get(name) === index,
      `${at}.name`,
      `only deletion is allowed, but found new scheduling gate '${name}'`,
    ),
  );
}

/** Everything else is immutable, but for what tells where a pod that still waits may go. */
function restErrors(spec: PodSpec, was: PodSpec): readonly FieldError[] {
  const { terminationGracePeriodSeconds: grace } = spec;
  const graceBefore = was.terminationGracePeriodSeconds ?? 0;
  const munged = {
    ...spec,
    containers: withImages(spec.containers, was.containers),
    initContainers: withImages(spec.initContainers, was.initContainers),
    activeDeadlineSeconds: was.activeDeadlineSeconds,
    schedulingGates: was.schedulingGates,
    tolerations: was.tolerations,
    terminationGracePeriodSeconds: graceBefore < 0 && grace === 1 ? graceBefore : grace,
  } as PodSpec;
  const isGated = (was.schedulingGates?.length ?? 0) > 0;
  const compared = isGated ? gatedSpec(munged, was) : munged;
  return [
    ...(isGated ? gatedSpecErrors(spec, was) : NO_ERRORS),
    ...forbiddenWhen(
      !semanticallyEqual(podSpec, compared, was),
      'spec',
      `pod updates may not change fields other than ${CHANGEABLE}\n`,
    ),
  ];
}

const withImages = (
  containers: readonly Container[] | null | undefined,
  before: readonly Container[] | null | undefined,
): readonly Container[] | null | undefined =>
  containers?.map((container, index) => ({ ...container, image: before?.[index]?.image ?? '' }));

/** Errors of containers added to a running pod: existing ones are immutable. */
export function ephemeralUpdateErrors(pod: Pod, stored: Pod, vocabulary: Vocabulary): readonly FieldError[] {
  const path = 'spec.ephemeralContainers';
  if (stored.metadata.annotations?.[mirrorAnnotation(vocabulary)] !== undefined)
    return [FieldErrors.forbidden('[]', 'static pods do not support ephemeral containers')];
  const added = pod.spec?.ephemeralContainers ?? [];
  const byName = new Map(added.map((container) => [container.name, container]));
  return [
    ...podContentErrors(pod, vocabulary),
    ...annotationChangesErrors(pod, stored, vocabulary),
    ...(stored.spec?.ephemeralContainers ?? []).flatMap((before) => {
      const { name = '' } = before;
      const now = byName.get(name);
      const isSame = semanticallyEqual(EPHEMERAL, now, before);
      const change = now ? 'changed' : 'removed';
      return forbiddenWhen(!isSame, path, `existing ephemeral containers "${name}" may not be ${change}\n`);
    }),
  ];
}
