import { type FieldError, type LabelSelector, ParseError, toLabelSelector } from '@ashlar/core';
import type { PodTemplateSpec } from './core/pod-types.ts';
import { invalidWhen } from './field-rules.ts';

/** The labels of a template must match the selector of its owner. */
export function selectedErrors(
  selector: Parameters<typeof toLabelSelector>[0],
  template: PodTemplateSpec | undefined,
  path: string,
): readonly FieldError[] {
  const labels = template?.metadata?.labels ?? {};
  const compiled = compiledSelector(selector);
  return invalidWhen(
    compiled !== undefined && !compiled.isEmpty && !compiled.matches(labels),
    `${path}.metadata.labels`,
    labels,
    '`selector` does not match template `labels`',
  );
}

/** The compiled selector; undefined if it is malformed, which its own check reports. */
export function compiledSelector(selector: Parameters<typeof toLabelSelector>[0]): LabelSelector | undefined {
  try {
    return toLabelSelector(selector);
  } catch (error) {
    if (ParseError.is(error)) return undefined;
    throw error;
  }
}
