import {
  type ApiObject,
  humanDuration,
  type JsonObject,
  type ManagedFieldsEntry,
  millisecondsOf,
  parseTime,
  type Vocabulary,
} from '@ashlar/core';
import { type ResourceDefinition, withCanonicalMetadata } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { withEntries } from '../../types/sorted-map.ts';
import { podSelectorColumn, templateColumns } from '../apps/pod-owner.ts';
import { podPartRules } from '../core/pod-defaults.ts';
import type { PodTemplateSpec } from '../core/pod-types.ts';
import { selectorsWithTemplate } from '../inherited/inherited-pod-faults.ts';
import { membersInOrder } from '../members-in-order.ts';
import { hostnameWarnings } from '../pods/pod-warnings.ts';
import { compileSelectorSteps } from '../selected-template.ts';
import { jobSchema } from '../shapes/batch/job.ts';
import { specOf, workloadType } from '../workload-type.ts';
import { jobStatusErrors } from './job-status.ts';
import type { FailureRule, Job, JobSpec } from './job-types.ts';
import { jobErrors, jobUpdateErrors } from './job-validation.ts';
import { jobWarnings } from './job-warnings.ts';

/** Jobs. */
export function jobs(vocabulary: Vocabulary): ResourceDefinition {
  const { labelDomain } = vocabulary;
  return workloadType({
    defaultPropagation: 'Orphan',
    group: 'batch',
    kind: 'Job',
    plural: 'jobs',
    categories: ['all'],
    scope: 'Namespaced',
    schema: jobSchema,
    rules: { ...podPartRules(vocabulary), 'api.batch.v1.Job': completeJob },
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
    status: { validate: jobStatusErrors },
    podSpecAt: ['spec', 'template', 'spec'],
    inherits: [selectorsWithTemplate(['spec', 'template', 'spec'])],
    counted: specOf,
    strategy: {
      updateChecks: ['metadata', 'object', 'metadata-change'],
      propagationWarning:
        'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
      prepareForCreate: (job: Job) => withSelector(job, labelDomain),
      isStoredIncomplete: (job: Job, stored) => (stored ? isUnlabelled(job) : hasGeneratedLabels(job)),
      *validateSteps(job: Job, stored) {
        yield* compileSelectorSteps(job.spec?.selector, job.spec?.template);
        return jobErrors(job, vocabulary, stored);
      },
      *validateUpdateSteps(job: Job, stored) {
        yield* compileSelectorSteps(job.spec?.selector, job.spec?.template);
        return jobUpdateErrors(job, stored, vocabulary);
      },
      warnings: ({ metadata, spec = {} }: Job, stored) => [
        ...(stored ? [] : hostnameWarnings(metadata, 'Pod names and hostnames')),
        ...jobWarnings(spec, vocabulary, { path: 'spec', metadata, stored: stored?.metadata }),
      ],
    },
  });
}

const MOST_FAILURES = 2_147_483_647;

function completeJob(object: JsonObject): JsonObject {
  const { metadata, spec = {} } = object as unknown as Job;
  const labels = spec.template?.metadata?.labels;
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
  const job = { ...object, spec: inOrder(complete) } as unknown as ApiObject;
  return (labels && isUnlabelled({ metadata })
    ? withCanonicalMetadata(job, { labels })
    : job) as unknown as JsonObject;
}

const inOrder = membersInOrder(jobSchema.properties?.spec ?? {});

type FailurePolicy = NonNullable<JobSpec['podFailurePolicy']>;

const withStatuses = (policy: FailurePolicy): FailurePolicy => ({
  ...policy,
  ...(policy.rules && { rules: policy.rules.map(withStatus) }),
});

const withStatus = (rule: FailureRule): FailureRule =>
  rule.onPodConditions
    ? {
        ...rule,
        onPodConditions: rule.onPodConditions.map((pattern) => ({
          ...pattern,
          status: pattern.status || 'True',
        })),
      }
    : rule;

/** A job selects pods by its uid, unless it has a manual selector. */
function withSelector(job: Job, labelDomain: string): ApiObject {
  const { metadata, spec = {} } = job;
  if (spec.manualSelector) return job;
  const { name = '', uid = '' } = metadata;
  const prefix = `batch.${labelDomain}/`;
  const templateLabels = spec.template?.metadata?.labels ?? {};
  const identity = { 'job-name': name, [`${prefix}job-name`]: name };
  const controller = { 'controller-uid': uid, [`${prefix}controller-uid`]: uid };
  const labels = withEntries({}, Object.entries({ ...identity, ...controller, ...templateLabels }));
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

/** Whether a job gets the labels of its template when it is read. */
const isUnlabelled = ({ metadata: { labels = {} } }: Pick<Job, 'metadata'>): boolean =>
  Object.keys(labels).length === 0;

/** Whether labels of a new job are those that its template got from the server: nobody owns them. */
function hasGeneratedLabels({ metadata: { labels, managedFields = [] } }: ApiObject): boolean {
  const isOwner = ({ fieldsV1 }: ManagedFieldsEntry): boolean =>
    (fieldsV1?.['f:metadata'] as JsonObject | undefined)?.['f:labels'] !== undefined;
  return labels !== undefined && !managedFields.some(isOwner);
}

/** Metadata that is printed after labels. */
const AFTER_LABELS = new Set(['annotations', 'ownerReferences', 'finalizers', 'managedFields']);

function withLabels(metadata: PodTemplateSpec['metadata'], labels: Readonly<Record<string, string>>): object {
  const { labels: _, ...rest } = { creationTimestamp: null, ...metadata };
  const members = Object.entries(rest);
  const isAfter = ([name]: readonly [string, unknown]): boolean => AFTER_LABELS.has(name);
  const before = members.filter((member) => !isAfter(member));
  return Object.fromEntries([...before, ['labels', labels], ...members.filter(isAfter)]);
}

function statusText({ metadata, status = {} }: Job): string {
  const holds = (conditionType: string): boolean =>
    status.conditions?.find(({ type }) => type === conditionType)?.status === 'True';
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
