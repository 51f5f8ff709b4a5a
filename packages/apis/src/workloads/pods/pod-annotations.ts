import type { FieldError, ObjectMeta, Vocabulary } from '@ashlar/core';
import { annotatedTolerations } from '../annotated-tolerations.ts';
import { annotationErrors } from '../annotation-errors.ts';
import { appArmorAnnotationErrors, appArmorChangesErrors } from '../app-armor/app-armor-errors.ts';
import type { Pod, PodSpec } from '../core/pod-types.ts';
import { forbiddenWhen, invalidWhen } from '../field-rules.ts';
import { seccompAnnotationErrors } from './seccomp-annotations.ts';
import { tolerationsErrors } from './tolerations.ts';

type Annotations = NonNullable<ObjectMeta['annotations']>;

/** The annotation of mirror pods. */
export const mirrorAnnotation = ({ labelDomain }: Vocabulary): string => `${labelDomain}/config.mirror`;

/** How much a pod loses by being deleted, compared to others of its owner. */
const costAnnotation = ({ labelDomain }: Vocabulary): string => `controller.${labelDomain}/pod-deletion-cost`;

/** The annotation that had the tolerations of a pod before there was a field. */
const tolerationsAnnotation = ({ labelDomain }: Vocabulary): string =>
  `scheduler.alpha.${labelDomain}/tolerations`;

/** Errors of annotations that mean something. */
export function podAnnotationsErrors(
  annotations: Annotations,
  spec: PodSpec,
  vocabulary: Vocabulary,
  path: string,
): readonly FieldError[] {
  const [mirror, cost] = [mirrorAnnotation(vocabulary), costAnnotation(vocabulary)];
  return [
    ...invalidWhen(
      annotations[mirror] !== undefined && !spec.nodeName,
      `${path}[${mirror}]`,
      annotations[mirror],
      'must set spec.nodeName if mirror pod annotation is set',
    ),
    ...annotatedTolerationsErrors(annotations, tolerationsAnnotation(vocabulary), path),
    ...invalidWhen(
      !isCost(annotations[cost]),
      `${path}[${cost}]`,
      annotations[cost],
      'must be a 32bit integer',
    ),
    ...seccompAnnotationErrors(annotations, vocabulary, path),
    ...appArmorAnnotationErrors(annotations, spec, vocabulary, path),
  ];
}

/** They do nothing anymore, but are still validated. */
const annotatedTolerationsErrors = (
  annotations: Annotations,
  name: string,
  path: string,
): readonly FieldError[] =>
  annotationErrors({
    name,
    text: annotations[name],
    path,
    decode: annotatedTolerations,
    errorsOf: (tolerations) => tolerationsErrors(tolerations, `${path}.${name}`),
  });

const LARGEST_COST = 2_147_483_647;

/** An integer of 32 bits without a plus sign or leading zeros. */
function isCost(text = '0'): boolean {
  if (!/^(?:0|[1-9]\d{0,9}|-0*\d{1,10})$/.test(text)) return false;
  const cost = Number(text);
  return cost <= LARGEST_COST && cost >= -LARGEST_COST - 1;
}

/** Errors of changed annotations: whether a pod is a mirror pod is immutable. */
export function annotationChangesErrors(
  pod: Pod,
  stored: Pod,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  const mirror = mirrorAnnotation(vocabulary);
  const path = 'metadata.annotations';
  const before = stored.metadata.annotations ?? {};
  const annotations = pod.metadata.annotations ?? {};
  const change = before[mirror] === undefined ? 'add' : 'remove or update';
  return [
    ...appArmorChangesErrors(annotations, before, vocabulary, path),
    ...forbiddenWhen(
      annotations[mirror] !== before[mirror],
      `${path}[${mirror}]`,
      `may not ${change} mirror pod annotation`,
    ),
    ...podAnnotationsErrors(annotations, pod.spec ?? {}, vocabulary, path),
  ];
}
