import { type FieldError, FieldErrors, type Vocabulary } from '@ashlar/core';
import { invalidWhen, NO_ERRORS, requiredWhen } from '../field-rules.ts';
import { compiledSelector } from '../selected-template.ts';
import type { Job } from './job-types.ts';

/** Errors of labels and selector that a job gets by itself. */
export function generatedSelectorErrors(
  { metadata, spec = {} }: Job,
  { labelDomain }: Vocabulary,
): readonly FieldError[] {
  const { selector, manualSelector, template } = spec;
  if (manualSelector || !selector) return NO_ERRORS;
  const { uid = '', name = '' } = metadata;
  const expected = {
    'controller-uid': uid,
    'job-name': name,
    [`batch.${labelDomain}/controller-uid`]: uid,
    [`batch.${labelDomain}/job-name`]: name,
  };
  const labels = template?.metadata?.labels ?? {};
  const compiled = compiledSelector(selector);
  return [
    ...requiredWhen(uid === '', 'metadata.uid'),
    ...Object.entries(expected).flatMap(([key, value]) => labelErrors(labels, key, value)),
    ...invalidWhen(
      compiled !== undefined && !compiled.matches(expected),
      'spec.selector',
      selector,
      '`selector` not auto-generated',
    ),
  ];
}

function labelErrors(
  labels: Readonly<Record<string, string>>,
  key: string,
  value: string,
): readonly FieldError[] {
  const path = `spec.template.metadata.labels[${key}]`;
  const why = `must be '${value}'`;
  if (labels[key] === undefined) return [FieldErrors.required(path, why)];
  return invalidWhen(labels[key] !== value, path, labels, why);
}
