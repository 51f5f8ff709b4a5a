import { type FieldError, FieldErrors, type Vocabulary } from '@ashlar/core';
import { invalidWhen, NO_ERRORS, requiredWhen } from '../field-rules.ts';
import { compiledSelector } from '../selected-template.ts';
import type { Job } from './job-types.ts';

/**
 * Errors of labels and selector that a job gets by itself. Jobs of former releases have no labels with a domain.
 * @param stored the job before
 */
export function generatedSelectorErrors(
  { metadata, spec = {} }: Job,
  vocabulary: Vocabulary,
  stored?: Job,
): readonly FieldError[] {
  const { selector, manualSelector } = spec;
  if (manualSelector || !selector) return NO_ERRORS;
  const { uid = '', name = '' } = metadata;
  const qualified = qualifiedNames(vocabulary);
  const hasQualified = !stored || qualified.every((label) => labelsOf(stored)[label] !== undefined);
  const expected = {
    'controller-uid': uid,
    'job-name': name,
    ...(hasQualified && { [qualified[0]]: uid, [qualified[1]]: name }),
  };
  const labels = labelsOf({ spec });
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

const qualifiedNames = ({ labelDomain }: Vocabulary): readonly [uid: string, name: string] => [
  `batch.${labelDomain}/controller-uid`,
  `batch.${labelDomain}/job-name`,
];

const labelsOf = ({ spec }: Pick<Job, 'spec'>): Readonly<Record<string, string>> =>
  spec?.template?.metadata?.labels ?? {};

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
