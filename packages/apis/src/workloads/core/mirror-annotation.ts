import { type FieldError, FieldErrors, type Vocabulary } from '@ashlar/core';
import type { Pod } from './pod-types.ts';

/** The annotation of mirror pods. */
export const mirrorAnnotation = ({ labelDomain }: Vocabulary): string => `${labelDomain}/config.mirror`;

/** Errors of a mirror pod: it must have a node. */
export function mirrorErrors({ metadata, spec }: Pod, annotation: string): readonly FieldError[] {
  const value = metadata.annotations?.[annotation];
  if (value === undefined || spec?.nodeName) return [];
  return [
    FieldErrors.invalid(
      `metadata.annotations[${annotation}]`,
      value,
      'must set spec.nodeName if mirror pod annotation is set',
    ),
  ];
}

/**
 * Errors of changes: whether a pod is a mirror pod is immutable. A changed value is reported again, as by the
 * reference.
 */
export function mirrorUpdateErrors(pod: Pod, stored: Pod, annotation: string): readonly FieldError[] {
  const value = pod.metadata.annotations?.[annotation];
  const was = stored.metadata.annotations?.[annotation];
  const change = was === undefined ? 'add' : 'remove or update';
  const why = `may not ${change} mirror pod annotation`;
  const errors = mirrorErrors(pod, annotation);
  return value === was
    ? errors
    : [FieldErrors.forbidden(`metadata.annotations[${annotation}]`, why), ...errors];
}
