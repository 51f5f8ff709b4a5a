import {
  type FieldError,
  type LabelSelector,
  type LabelSelectorObject,
  ParseError,
  toLabelSelector,
} from '@ashlar/core';
import type { PodTemplateSpec } from './core/pod-types.ts';
import { invalidWhen } from './field-rules.ts';

/** The labels of a template must match the selector of its owner. */
export function selectedErrors(
  selector: Parameters<typeof toLabelSelector>[0],
  template: PodTemplateSpec | undefined,
  path: string,
): readonly FieldError[] {
  const labels = template?.metadata?.labels ?? {};
  const wanted = compiledSelector(selector);
  return invalidWhen(
    wanted !== undefined && !wanted.isEmpty && !wanted.matches(labels),
    `${path}.metadata.labels`,
    labels,
    '`selector` does not match template `labels`',
  );
}

/** Compiled selectors of objects that are being validated: several checks ask. */
const compiled: WeakMap<object, LabelSelector | undefined> = new WeakMap();

/** The compiled selector; undefined if it is malformed, which its own check reports. */
export function compiledSelector(selector: Parameters<typeof toLabelSelector>[0]): LabelSelector | undefined {
  if (!selector) return toLabelSelector(selector);
  if (!compiled.has(selector)) compiled.set(selector, compile(selector));
  return compiled.get(selector);
}

function compile(selector: LabelSelectorObject): LabelSelector | undefined {
  try {
    return toLabelSelector(selector);
  } catch (error) {
    if (ParseError.is(error)) return undefined;
    throw error;
  }
}
