import {
  type FieldError,
  FieldErrors,
  type LabelSelectorObject,
  type Vocabulary,
  validateLabelSelector,
} from '@ashlar/core';
import type { ColumnDefinition, Strategy } from '@ashlar/registry';
import { containerColumns, selectorColumn } from '../cells.ts';
import type { PodOwner, PodTemplateSpec } from '../core/pod-types.ts';
import { deadlineErrors, restartErrors } from '../core/replication-controllers.ts';
import { unchanged } from '../field-rules.ts';
import { podTemplateErrors } from '../pods/pod-spec.ts';
import { printedSelector } from '../printed-selector.ts';
import { compiledSelector, compileSelectorSteps, selectedErrors } from '../selected-template.ts';

/** Containers and images of the pods of a kind, for wide output. */
export const templateColumns: readonly ColumnDefinition[] = containerColumns(
  ({ spec }: PodOwner) => spec?.template?.spec?.containers ?? [],
);

/** The pod selector of a kind, for wide output. */
export const podSelectorColumn: ColumnDefinition = selectorColumn(
  ({ spec }: PodOwner) => spec?.selector ?? undefined,
);

/**
 * The rules of a kind that owns pods, with a pause before and after its selector is compiled, which may have tens of thousands of
 * requirements.
 * @param errorsOf of every object
 * @param changeErrors of an update besides; by default the selector must not change
 */
export function ownerRules<T extends PodOwner>(
  errorsOf: (object: T) => readonly FieldError[],
  changeErrors: (object: T, stored: T) => readonly FieldError[] = selectorUnchanged,
): Pick<Strategy, 'validateSteps' | 'validateUpdateSteps'> {
  return {
    *validateSteps(object) {
      yield* compileSelectorSteps((object as T).spec?.selector, (object as T).spec?.template);
      return errorsOf(object as T);
    },
    *validateUpdateSteps(object, stored) {
      yield* compileSelectorSteps((object as T).spec?.selector, (object as T).spec?.template);
      return [...errorsOf(object as T), ...changeErrors(object as T, stored as T)];
    },
  };
}

const selectorUnchanged = (object: PodOwner, stored: PodOwner): readonly FieldError[] =>
  unchanged('spec.selector', object.spec?.selector, stored.spec?.selector, printedSelector);

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
      ? [
          FieldErrors.invalid(
            'spec.selector',
            printedSelector(selector),
            `empty selector is invalid for ${kind}`,
          ),
        ]
      : []),
  ];
}

/**
 * Errors of the template of pods that are kept running.
 * @param unreadable what becomes of a selector that cannot be compiled: it is an error instead of all those of the template, or only of its own parts
 */
export function templateErrors(
  template: PodTemplateSpec | undefined,
  selector: LabelSelectorObject | null | undefined,
  kind: string,
  vocabulary: Vocabulary,
  unreadable: 'instead' | 'of parts' = 'instead',
): readonly FieldError[] {
  const path = 'spec.template';
  const isCompiled = isReadable(selector);
  if (!isCompiled && unreadable === 'instead')
    return [FieldErrors.invalid('spec.selector', printedSelector(selector), 'invalid label selector')];
  return [
    ...(isCompiled ? selectedErrors(selector, template, path) : []),
    ...podTemplateErrors(template ?? {}, vocabulary, path),
    ...restartErrors(template?.spec?.restartPolicy, path),
    ...deadlineErrors(template, kind, path),
  ];
}

/** Whether a selector can be compiled. */
export const isReadable = (selector: LabelSelectorObject | null | undefined): boolean =>
  compiledSelector(selector) !== undefined;
