import {
  type ApiObject,
  dns1123LabelErrors,
  type FieldError,
  FieldErrors,
  humanDuration,
  type JsonObject,
  type LabelSelectorObject,
  millisecondsOf,
  parseTime,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { withEntries } from '../../types/sorted-map.ts';
import { podSelectorColumn, templateColumns } from '../apps/pod-owner.ts';
import { podPartRules } from '../core/pod-defaults.ts';
import type { Condition, PodOwner, PodTemplateSpec } from '../core/pod-types.ts';
import { podTemplateErrors, selectedErrors } from '../core/pod-validation.ts';
import { podNameWarnings } from '../core/replication-controllers.ts';
import { nonNegative, optionalOneOf, unchanged } from '../field-rules.ts';
import { jobSchema } from '../shapes/batch/job.ts';
import { specOf, workloadType } from '../workload-type.ts';

/** The spec of a job. */
export interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly activeDeadlineSeconds?: number;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly completionMode?: string;
  readonly podReplacementPolicy?: string;
  readonly podFailurePolicy?: {
    readonly rules?: readonly { readonly onPodConditions?: readonly { readonly status?: string }[] }[];
  };
  readonly successPolicy?: object;
  readonly suspend?: boolean;
  readonly manualSelector?: boolean;
  readonly managedBy?: string;
  readonly selector?: LabelSelectorObject;
  readonly template?: PodTemplateSpec;
}

/** Pods that run until enough of them have succeeded. */
interface Job extends Omit<PodOwner, 'spec'> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiObject['metadata'];
  readonly spec?: JobSpec;
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly startTime?: string;
    readonly completionTime?: string;
    readonly succeeded?: number;
  };
}

/** Jobs. */
export function jobs({ labelDomain }: Vocabulary): ResourceDefinition {
  const controllerLabel = `batch.${labelDomain}/controller-uid`;
  return workloadType({
    defaultPropagation: 'Orphan',
    group: 'batch',
    kind: 'Job',
    plural: 'jobs',
    categories: ['all'],
    scope: 'Namespaced',
    schema: jobSchema,
    rules: { ...podPartRules, 'api.batch.v1.Job': completeJob },
    columns: [
      nameColumn,
      column('Status', 'How it is, in one word.', statusText),
      column('Completions', 'How many have succeeded, of those that must.', completionsText),
      column('Duration', 'How long it took, or has taken so far.', durationText),
      ageColumn,
      ...templateColumns,
      podSelectorColumn,
    ],
    selectableFields: {
      names: ['status.successful'],
      kindInErrors: 'Job',
      valueOf: ({ status }: Job) => String(status?.succeeded ?? 0),
    },
    status: {},
    counted: specOf,
    strategy: {
      propagationWarning:
        'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
      prepareForCreate: (job: Job) => withSelector(job, labelDomain),
      validate: (job: Job) => validate(job, controllerLabel),
      validateUpdate: (job: Job, stored: Job) => [
        ...validate(job, controllerLabel),
        // validated as a whole and as a change, and reported twice
        ...jobSpecErrors(job.spec ?? {}, 'spec'),
        ...changeErrors(job.spec ?? {}, stored.spec ?? {}),
      ],
      warnings: podNameWarnings,
    },
  });
}

const MOST_FAILURES = 2_147_483_647;

function completeJob(object: JsonObject): JsonObject {
  const { metadata, spec = {} } = object as unknown as Job;
  const labels = spec.template?.metadata?.labels;
  const isLabelled = Object.keys(metadata.labels ?? {}).length > 0;
  const complete: JobSpec = {
    ...spec,
    parallelism: spec.parallelism ?? 1,
    ...(spec.completions === undefined && spec.parallelism === undefined && { completions: 1 }),
    ...(spec.podFailurePolicy && { podFailurePolicy: withStatuses(spec.podFailurePolicy) }),
    backoffLimit: spec.backoffLimit ?? (spec.backoffLimitPerIndex === undefined ? 6 : MOST_FAILURES),
    completionMode: spec.completionMode ?? 'NonIndexed',
    suspend: spec.suspend ?? false,
    manualSelector: spec.manualSelector ?? false,
    podReplacementPolicy:
      spec.podReplacementPolicy ?? (spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed'),
  };
  const metadataChange = labels && !isLabelled && { metadata: { ...metadata, labels } };
  return { ...object, ...metadataChange, spec: inOrder(complete) } as unknown as JsonObject;
}

const ORDER: readonly string[] = Object.keys(jobSchema.properties?.spec?.properties ?? {});

const inOrder = (spec: JobSpec): JobSpec =>
  Object.fromEntries(Object.entries(spec).sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))) as JobSpec;

type FailurePolicy = NonNullable<JobSpec['podFailurePolicy']>;

const withStatuses = (policy: FailurePolicy): FailurePolicy => ({
  ...policy,
  rules: (policy.rules ?? []).map((rule) =>
    rule.onPodConditions
      ? {
          ...rule,
          onPodConditions: rule.onPodConditions.map((pattern) => ({
            ...pattern,
            status: pattern.status || 'True',
          })),
        }
      : rule,
  ),
});

/** A job selects pods by its uid, unless it has a manual selector. */
function withSelector(job: Job, labelDomain: string): ApiObject {
  const { metadata, spec = {} } = job;
  if (spec.manualSelector) return job;
  const { name = '', uid = '' } = metadata;
  const prefix = `batch.${labelDomain}/`;
  const given = spec.template?.metadata?.labels ?? {};
  const identity = { 'job-name': name, [`${prefix}job-name`]: name };
  const controller = { 'controller-uid': uid, [`${prefix}controller-uid`]: uid };
  const labels = withEntries({}, Object.entries({ ...identity, ...controller, ...given }));
  const matchLabels = withEntries(
    {},
    Object.entries({ [`${prefix}controller-uid`]: uid, ...spec.selector?.matchLabels }),
  );
  // labels of the job from its template are the same object, including new ones
  const isShared = metadata.labels !== undefined && metadata.labels === spec.template?.metadata?.labels;
  return {
    ...job,
    ...(isShared && { metadata: { ...metadata, labels } }),
    spec: {
      ...spec,
      selector: { ...spec.selector, matchLabels },
      template: { ...spec.template, metadata: withLabels(spec.template?.metadata, labels) },
    },
  };
}

function withLabels(metadata: PodTemplateSpec['metadata'], labels: Readonly<Record<string, string>>): object {
  const { creationTimestamp = null, ...rest } = metadata ?? {};
  return { ...rest, creationTimestamp, labels };
}

function statusText({ metadata, status = {} }: Job): string {
  const holds = (wanted: string): boolean =>
    status.conditions?.find(({ type }) => type === wanted)?.status === 'True';
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (holds('Suspended')) return 'Suspended';
  return holds('FailureTarget') ? 'FailureTarget' : 'Running';
}

function completionsText({ spec = {}, status = {} }: Job): string {
  const { completions, parallelism = 0 } = spec;
  const succeeded = status.succeeded ?? 0;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({ status = {} }: Job, now: number): string {
  const { startTime, completionTime } = status;
  if (!startTime) return '';
  const end = completionTime ? millisecondsOf(parseTime(completionTime)) : now;
  return humanDuration(BigInt(Math.trunc(end - millisecondsOf(parseTime(startTime)))) * 1_000_000n);
}

function validate({ metadata, spec = {} }: Job, controllerLabel: string): readonly FieldError[] {
  return [
    ...generatedErrors({ metadata, spec }, controllerLabel),
    ...jobSpecErrors(spec, 'spec'),
    ...selectedErrors(spec.selector, spec.template, 'spec.template'),
    ...indexNameErrors(metadata.name ?? '', spec),
  ];
}

function generatedErrors(
  { metadata, spec }: { readonly metadata: Job['metadata']; readonly spec: JobSpec },
  controllerLabel: string,
): readonly FieldError[] {
  if (spec.manualSelector) return spec.selector ? [] : [FieldErrors.required('spec.selector')];
  const { matchLabels = {}, matchExpressions = [] } = spec.selector ?? {};
  const isOwn = matchLabels[controllerLabel] === metadata.uid && Object.keys(matchLabels).length === 1;
  if (isOwn && matchExpressions.length === 0) return [];
  const why = '`selector` not auto-generated';
  return [FieldErrors.invalid('spec.selector', spec.selector ?? null, why)];
}

/** Names of pods of an indexed job consist of its name and their index. */
function indexNameErrors(name: string, { completionMode, completions = 0 }: JobSpec): readonly FieldError[] {
  if (completionMode !== 'Indexed' || completions <= 0) return [];
  const host = `${name}-${completions - 1}`;
  if (dns1123LabelErrors(host).length === 0) return [];
  const why = `will not able to create pod with invalid DNS label: ${host}`;
  return [FieldErrors.invalid('metadata.name', name, why)];
}

/** Errors of the spec of a job, at any path. */
export function jobSpecErrors(spec: JobSpec, path: string): readonly FieldError[] {
  const counts = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const;
  return [
    ...counts.flatMap((name) => nonNegative(`${path}.${name}`, spec[name])),
    ...(spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [FieldErrors.required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...optionalOneOf(`${path}.completionMode`, spec.completionMode, ['NonIndexed', 'Indexed']),
    ...indexErrors(spec, path),
    ...replacementErrors(spec, path),
    ...podTemplateErrors(spec.template ?? {}, `${path}.template`),
    ...restartErrors(spec, path),
  ];
}

function indexErrors(spec: JobSpec, path: string): readonly FieldError[] {
  const why = 'requires indexed completion mode';
  if (spec.completionMode === 'Indexed') {
    return spec.completions === undefined
      ? [FieldErrors.required(`${path}.completions`, 'when completion mode is Indexed')]
      : [];
  }
  const indexed = ['backoffLimitPerIndex', 'maxFailedIndexes'] as const;
  const wrong =
    spec.completionMode === 'NonIndexed'
      ? [...indexed, 'successPolicy' as const]
      : ['successPolicy' as const];
  return wrong.flatMap((name) =>
    spec[name] === undefined ? [] : [FieldErrors.invalid(`${path}.${name}`, spec[name], why)],
  );
}

function replacementErrors(
  { podReplacementPolicy: policy, podFailurePolicy }: JobSpec,
  path: string,
): readonly FieldError[] {
  const known = podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  return optionalOneOf(`${path}.podReplacementPolicy`, policy, known);
}

function restartErrors({ template, podFailurePolicy }: JobSpec, path: string): readonly FieldError[] {
  const policy = template?.spec?.restartPolicy;
  const at = `${path}.template.spec.restartPolicy`;
  if (policy === 'Always' || !policy) return [FieldErrors.required(at, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never')
    return [FieldErrors.notSupported(at, policy, ['OnFailure', 'Never'])];
  if (!podFailurePolicy || policy === 'Never') return [];
  return [FieldErrors.invalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

function changeErrors(spec: JobSpec, was: JobSpec): readonly FieldError[] {
  const isElastic = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  const fixed = [
    'selector',
    'template',
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ] as const;
  return [
    ...(isElastic ? [] : unchanged('spec.completions', spec.completions, was.completions)),
    ...fixed.flatMap((name) => unchanged(`spec.${name}`, spec[name], was[name])),
  ];
}
