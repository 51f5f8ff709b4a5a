import {
  choiceErrors,
  dns1123LabelErrors,
  type FieldError,
  FieldErrors,
  PrintedValue,
  utf8Length,
  type Vocabulary,
  validateDomainPrefixedPath,
  validateLabelSelector,
} from '@ashlar/core';
import type { PodSpec } from '../core/pod-types.ts';
import { invalidWhen, NO_ERRORS, nonNegative, requiredWhen, unchanged } from '../field-rules.ts';
import { podTemplateErrors } from '../pods/pod-spec.ts';
import { printedSelector } from '../printed-selector.ts';
import { selectedErrors } from '../selected-template.ts';
import { semanticallyEqual } from '../semantic-equality.ts';
import { podTemplateSpec } from '../shapes/core/pod-spec.ts';
import { failurePolicyErrors } from './failure-policy.ts';
import { generatedSelectorErrors } from './generated-selector.ts';
import type { Job, JobSpec } from './job-types.ts';
import { successPolicyErrors } from './success-policy.ts';

/** Errors of a job. @param stored the job before an update */
export function jobErrors(job: Job, vocabulary: Vocabulary, stored?: Job): readonly FieldError[] {
  const { metadata, spec = {} } = job;
  return [
    ...generatedSelectorErrors(job, vocabulary, stored),
    ...selectingSpecErrors(spec, vocabulary),
    ...indexNameErrors(metadata.name ?? '', spec),
  ];
}

/** Errors of a changed job, besides those of its new form. */
export function jobUpdateErrors(job: Job, stored: Job, vocabulary: Vocabulary): readonly FieldError[] {
  return [...selectingSpecErrors(job.spec ?? {}, vocabulary), ...changeErrors(job.spec ?? {}, stored)];
}

/** Errors of the spec of a job, which selects its pods. */
function selectingSpecErrors(spec: JobSpec, vocabulary: Vocabulary): readonly FieldError[] {
  return [
    ...jobSpecErrors(spec, vocabulary, 'spec'),
    ...requiredWhen(!spec.selector, 'spec.selector'),
    ...validateLabelSelector(spec.selector, 'spec.selector'),
    ...selectedErrors(spec.selector, spec.template, 'spec.template'),
  ];
}

/** Names of pods of an indexed job consist of its name and their index. */
function indexNameErrors(name: string, { completionMode, completions = 0 }: JobSpec): readonly FieldError[] {
  if (completionMode !== 'Indexed' || completions <= 0) return NO_ERRORS;
  const host = `${name}-${completions - 1}`;
  return invalidWhen(
    dns1123LabelErrors(host).length > 0,
    'metadata.name',
    name,
    `will not able to create pod with invalid DNS label: ${host}`,
  );
}

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

/** Errors of the spec of a job or a template of jobs, at any path. */
export function jobSpecErrors(spec: JobSpec, vocabulary: Vocabulary, path: string): readonly FieldError[] {
  return [
    ...COUNTS.flatMap((name) => nonNegative(`${path}.${name}`, spec[name])),
    ...requiredWhen(
      spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined,
      `${path}.backoffLimitPerIndex`,
      'when maxFailedIndexes is specified',
    ),
    ...managerErrors(spec.managedBy, `${path}.managedBy`),
    ...choiceErrors(`${path}.completionMode`, spec.completionMode, ['NonIndexed', 'Indexed']),
    ...(spec.completionMode === 'Indexed' ? indexedErrors(spec, path) : NO_ERRORS),
    ...unindexedErrors(spec, path),
    ...failurePolicyErrors(spec, `${path}.podFailurePolicy`),
    ...successErrors(spec, `${path}.successPolicy`),
    ...choiceErrors(
      `${path}.podReplacementPolicy`,
      spec.podReplacementPolicy,
      spec.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'],
    ),
    ...podTemplateErrors(spec.template ?? {}, vocabulary, `${path}.template`),
    ...restartErrors(spec, path),
  ];
}

const LONGEST_MANAGER_BYTES = 63;

function managerErrors(manager: string | undefined, path: string): readonly FieldError[] {
  if (manager === undefined) return NO_ERRORS;
  return [
    ...validateDomainPrefixedPath(path, manager),
    ...(utf8Length(manager) > LONGEST_MANAGER_BYTES
      ? [FieldErrors.tooLong(path, LONGEST_MANAGER_BYTES)]
      : NO_ERRORS),
  ];
}

const MOST_PARALLEL = 100_000;
const MANY_COMPLETIONS = 100_000;
const MOST_FAILED_OF_MANY = 10_000;
const MOST_PARALLEL_OF_MANY = 10_000;

function indexedErrors(spec: JobSpec, path: string): readonly FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes = Number.NEGATIVE_INFINITY } = spec;
  const failed = `${path}.maxFailedIndexes`;
  return [
    ...requiredWhen(completions === undefined, `${path}.completions`, 'when completion mode is Indexed'),
    ...invalidWhen(
      parallelism > MOST_PARALLEL,
      `${path}.parallelism`,
      parallelism,
      `must be less than or equal to ${MOST_PARALLEL} when completion mode is Indexed`,
    ),
    ...invalidWhen(
      completions !== undefined && maxFailedIndexes > completions,
      failed,
      maxFailedIndexes,
      'must be less than or equal to completions',
    ),
    ...invalidWhen(
      maxFailedIndexes > MOST_PARALLEL,
      failed,
      maxFailedIndexes,
      `must be less than or equal to ${MOST_PARALLEL}`,
    ),
    ...((completions ?? 0) > MANY_COMPLETIONS && spec.backoffLimitPerIndex !== undefined
      ? manyErrors(spec, path)
      : NO_ERRORS),
  ];
}

/** Jobs of many pods keep less of each. */
function manyErrors(spec: JobSpec, path: string): readonly FieldError[] {
  const { parallelism = 0, maxFailedIndexes } = spec;
  const at = `${path}.maxFailedIndexes`;
  const why = (most: number): string =>
    `must be less than or equal to ${most} when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  return [
    ...requiredWhen(
      maxFailedIndexes === undefined,
      at,
      `must be specified when completions is above ${MANY_COMPLETIONS}`,
    ),
    ...invalidWhen(
      parallelism > MOST_PARALLEL_OF_MANY,
      `${path}.parallelism`,
      parallelism,
      why(MOST_PARALLEL_OF_MANY),
    ),
    ...invalidWhen(
      (maxFailedIndexes ?? 0) > MOST_FAILED_OF_MANY,
      at,
      maxFailedIndexes,
      why(MOST_FAILED_OF_MANY),
    ),
  ];
}

const NEEDS_INDEXES = 'requires indexed completion mode';

function unindexedErrors(spec: JobSpec, path: string): readonly FieldError[] {
  const { completionMode } = spec;
  if (completionMode !== undefined && completionMode !== 'NonIndexed') return NO_ERRORS;
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const).flatMap((name) =>
    invalidWhen(spec[name] !== undefined, `${path}.${name}`, spec[name], NEEDS_INDEXES),
  );
}

function successErrors(spec: JobSpec, path: string): readonly FieldError[] {
  const { successPolicy, completionMode, completions = 0 } = spec;
  if (!successPolicy) return NO_ERRORS;
  return completionMode === 'Indexed'
    ? successPolicyErrors(successPolicy, completions, path)
    : [FieldErrors.invalid(path, successPolicy, NEEDS_INDEXES)];
}

function restartErrors({ template, podFailurePolicy }: JobSpec, path: string): readonly FieldError[] {
  const policy = template?.spec?.restartPolicy;
  const at = `${path}.template.spec.restartPolicy`;
  if (policy === 'Always' || !policy) return requiredWhen(true, at, 'valid values: "OnFailure", "Never"');
  if (policy !== 'OnFailure' && policy !== 'Never')
    return [FieldErrors.notSupported(at, policy, ['OnFailure', 'Never'])];
  return invalidWhen(
    podFailurePolicy !== undefined && policy !== 'Never',
    at,
    policy,
    'only "Never" is supported when podFailurePolicy is specified',
  );
}

const FIXED = [
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
] as const;

function changeErrors(spec: JobSpec, stored: Job): readonly FieldError[] {
  const was = stored.spec ?? {};
  const isWaiting = was.suspend === true && stored.status?.startTime === undefined;
  const template = isWaiting ? withSchedulingOf(spec, was) : was.template;
  return [
    ...completionsErrors(spec, was),
    ...unchanged('spec.selector', spec.selector, was.selector, printedSelector),
    ...(semanticallyEqual(podTemplateSpec, spec.template, template)
      ? NO_ERRORS
      : [
          FieldErrors.invalid(
            'spec.template',
            new PrintedValue('core.PodTemplateSpec{…}'),
            'field is immutable',
          ),
        ]),
    ...FIXED.flatMap((name) => unchanged(`spec.${name}`, spec[name], was[name])),
  ];
}

/** An indexed job can grow and shrink if all of its pods run at once. */
function completionsErrors(spec: JobSpec, was: JobSpec): readonly FieldError[] {
  const path = 'spec.completions';
  const { completions } = spec;
  if (spec.completionMode !== 'Indexed') return unchanged(path, completions, was.completions);
  return invalidWhen(
    completions !== undefined && completions !== was.completions && completions !== spec.parallelism,
    path,
    completions,
    'can only be modified in tandem with spec.parallelism',
  );
}

/** Where the pods of a suspended job will run can change until it starts. */
function withSchedulingOf(spec: JobSpec, was: JobSpec): JobSpec['template'] {
  const { metadata = {}, spec: pod = {} } = spec.template ?? {};
  const before: PodSpec = was.template?.spec ?? {};
  const { nodeSelector: _, tolerations: __, schedulingGates: ___, affinity: was_, ...rest } = before;
  const { nodeAffinity: ____, ...others } = was_ ?? {};
  const ofNodes = pod.affinity?.nodeAffinity;
  const affinity = { ...others, ...(ofNodes && { nodeAffinity: ofNodes }) };
  const hasAffinity = pod.affinity !== undefined || Object.keys(affinity).length > 0;
  const { labels, annotations } = metadata;
  const { labels: _____, annotations: ______, ...restOfMetadata } = was.template?.metadata ?? {};
  return {
    ...was.template,
    metadata: { ...restOfMetadata, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec: {
      ...rest,
      ...(hasAffinity && { affinity }),
      ...(pod.nodeSelector && { nodeSelector: pod.nodeSelector }),
      ...(pod.tolerations && { tolerations: pod.tolerations }),
      ...(pod.schedulingGates && { schedulingGates: pod.schedulingGates }),
    },
  };
}
