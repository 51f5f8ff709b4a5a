import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  type LabelSelectorObject,
  toLabelSelector,
  validateLabelSelector,
} from '@ashlar/core';
import type { ColumnDefinition } from '@ashlar/registry';
import { containerColumns, selectorColumn } from '../cells.ts';
import type { PodOwner, PodTemplateSpec } from '../core/pod-types.ts';
import { podTemplateErrors, selectedErrors } from '../core/pod-validation.ts';
import { restartErrors } from '../core/replication-controllers.ts';
import { nonNegative } from '../field-rules.ts';

/** Containers and images of the pods of a kind, for wide output. */
export const templateColumns: readonly ColumnDefinition[] = containerColumns(
  ({ spec }: PodOwner) => spec?.template?.spec?.containers ?? [],
);

/** The pod selector of a kind, for wide output. */
export const podSelectorColumn: ColumnDefinition = selectorColumn(
  ({ spec }: PodOwner) => spec?.selector ?? undefined,
);

/** Errors of a selector that is required and must not be empty. */
export function selectorErrors(
  selector: LabelSelectorObject | null | undefined,
  kind: string,
): readonly FieldError[] {
  if (!selector) return [FieldErrors.required('spec.selector')];
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const isEmpty = Object.keys(matchLabels).length + matchExpressions.length === 0;
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(isEmpty
      ? [FieldErrors.invalid('spec.selector', selector, `empty selector is invalid for ${kind}`)]
      : []),
  ];
}

/** Errors of the template of pods that are kept running. */
export function templateErrors(
  template: PodTemplateSpec | undefined,
  selector: LabelSelectorObject | null | undefined,
  kind: string,
): readonly FieldError[] {
  const path = 'spec.template';
  return [
    ...(isReadable(selector)
      ? selectedErrors(selector, template, path)
      : [FieldErrors.invalid('spec.selector', selector, 'invalid label selector')]),
    ...podTemplateErrors(template ?? {}, path),
    ...restartErrors(template?.spec?.restartPolicy, path),
    ...(template?.spec?.activeDeadlineSeconds === undefined
      ? []
      : [
          FieldErrors.forbidden(
            `${path}.spec.activeDeadlineSeconds`,
            `activeDeadlineSeconds in ${kind} is not Supported`,
          ),
        ]),
  ];
}

function isReadable(selector: LabelSelectorObject | null | undefined): boolean {
  try {
    toLabelSelector(selector);
    return true;
  } catch {
    return false;
  }
}

/** Counters of a status, which must not be negative. */
export function countErrors(status: object | undefined, names: readonly string[]): readonly FieldError[] {
  const counts = (status ?? {}) as Readonly<Record<string, number | undefined>>;
  return names.flatMap((name) => nonNegative(`status.${name}`, counts[name]));
}

/** Counters of a status that must not exceed its replicas. */
export function withinReplicas(status: object | undefined, names: readonly string[]): readonly FieldError[] {
  const counts = (status ?? {}) as Readonly<Record<string, number | undefined>>;
  const { replicas = 0 } = counts;
  return names.flatMap((name) => {
    const count = counts[name] ?? 0;
    return count > replicas
      ? [FieldErrors.invalid(`status.${name}`, count, 'cannot be greater than status.replicas')]
      : [];
  });
}

/** Available pods must not exceed ready ones. */
export function availableErrors(object: ApiObject, of: string): readonly FieldError[] {
  const { readyReplicas = 0, availableReplicas = 0 } = (object.status ?? {}) as Readonly<
    Record<string, number>
  >;
  return availableReplicas > readyReplicas
    ? [FieldErrors.invalid('status.availableReplicas', availableReplicas, `cannot be greater than ${of}`)]
    : [];
}
