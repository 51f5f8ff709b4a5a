import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import {
  atomic,
  boolean,
  int32,
  int64,
  optional,
  printed,
  string,
  time,
  type,
} from '../../../types/schema-fields.ts';
import { among, listOf, mergedBy, ownedSet, part, textOf, textsOf } from '../../shape-fields.ts';
import { podTemplateSpec } from '../core/pod-spec.ts';
import { FAILURE_ACTIONS } from '../shared/enumerations.ts';
import { labelSelector } from '../shared/label-selector.ts';

// Jobs.

const podFailurePolicyOnExitCodesRequirement = type(
  'api.batch.v1.PodFailurePolicyOnExitCodesRequirement',
  {
    containerName: optional(string(1)),
    operator: among(printed(textOf(2, 'api.batch.v1.PodFailurePolicyOnExitCodesOperator')), ['In', 'NotIn']),
    values: printed(listOf(3, { type: 'integer', format: 'int32', default: 0 }, ownedSet)),
  },
  { required: ['operator', 'values'] },
);

const podFailurePolicyOnPodConditionsPattern = type(
  'api.batch.v1.PodFailurePolicyOnPodConditionsPattern',
  {
    type: printed(textOf(1, 'api.core.v1.PodConditionType')),
    status: printed(textOf(2, 'api.core.v1.ConditionStatus')),
  },
  { required: ['type', 'status'] },
);

const podFailurePolicyRule = type(
  'api.batch.v1.PodFailurePolicyRule',
  {
    action: among(printed(textOf(1, 'api.batch.v1.PodFailurePolicyAction')), FAILURE_ACTIONS),
    onExitCodes: optional(part(2, podFailurePolicyOnExitCodesRequirement)),
    onPodConditions: listOf(3, podFailurePolicyOnPodConditionsPattern, atomic),
  },
  { required: ['action'] },
);

const podFailurePolicy = type(
  'api.batch.v1.PodFailurePolicy',
  {
    rules: printed(listOf(1, podFailurePolicyRule, atomic)),
  },
  { required: ['rules'] },
);

const successPolicyRule = type('api.batch.v1.SuccessPolicyRule', {
  succeededIndexes: optional(string(1)),
  succeededCount: optional(int32(2)),
});

const successPolicy = type(
  'api.batch.v1.SuccessPolicy',
  {
    rules: printed(listOf(1, successPolicyRule, atomic)),
  },
  { required: ['rules'] },
);

/** Schema of `JobSpec`. */
export const jobSpec: Schema = type(
  'api.batch.v1.JobSpec',
  {
    parallelism: optional(int32(1)),
    completions: optional(int32(2)),
    activeDeadlineSeconds: optional(int64(3)),
    podFailurePolicy: optional(part(11, podFailurePolicy)),
    successPolicy: optional(part(16, successPolicy)),
    backoffLimit: optional(int32(7)),
    backoffLimitPerIndex: optional(int32(12)),
    maxFailedIndexes: optional(int32(13)),
    selector: optional(part(4, labelSelector)),
    manualSelector: optional(boolean(5)),
    template: part(6, podTemplateSpec),
    ttlSecondsAfterFinished: optional(int32(8)),
    completionMode: among(optional(textOf(9, 'api.batch.v1.CompletionMode')), ['Indexed', 'NonIndexed']),
    suspend: optional(boolean(10)),
    podReplacementPolicy: among(optional(textOf(14, 'api.batch.v1.PodReplacementPolicy')), [
      'Failed',
      'TerminatingOrFailed',
    ]),
    managedBy: optional(string(15)),
  },
  { required: ['template'] },
);

const jobCondition = type(
  'api.batch.v1.JobCondition',
  {
    type: printed(textOf(1, 'api.batch.v1.JobConditionType')),
    status: printed(textOf(2, 'api.core.v1.ConditionStatus')),
    lastProbeTime: time(3),
    lastTransitionTime: time(4),
    reason: string(5),
    message: string(6),
  },
  { required: ['type', 'status'] },
);

const uncountedTerminatedPods = type('api.batch.v1.UncountedTerminatedPods', {
  succeeded: textsOf(1, 'apimachinery.pkg.types.UID', ownedSet),
  failed: textsOf(2, 'apimachinery.pkg.types.UID', ownedSet),
});

const jobStatus = type('api.batch.v1.JobStatus', {
  conditions: listOf(1, jobCondition, mergedBy('type')),
  startTime: optional(time(2)),
  completionTime: optional(time(3)),
  active: int32(4),
  succeeded: int32(5),
  failed: int32(6),
  terminating: optional(int32(11)),
  completedIndexes: string(7),
  failedIndexes: optional(string(10)),
  uncountedTerminatedPods: optional(part(8, uncountedTerminatedPods)),
  ready: optional(int32(9)),
});

/** Schema of `Job`. */
export const jobSchema: Schema = kindSchema(
  'api.batch.v1.Job',
  'Pods that run until enough of them have succeeded.',
  {
    spec: part(2, jobSpec),
    status: part(3, jobStatus),
  },
);
