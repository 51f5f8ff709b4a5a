import type { ApiObject, LabelSelectorObject } from '@ashlar/core';
import type { Condition, PodTemplateSpec } from '../core/pod-types.ts';

/** What is done about a pod that failed in some way. */
export interface FailureRule {
  readonly action?: string;
  readonly onExitCodes?: {
    readonly containerName?: string;
    readonly operator?: string;
    readonly values?: readonly number[] | null;
  };
  readonly onPodConditions?: readonly { readonly type?: string; readonly status?: string }[];
}

/** When a job has succeeded before all of its pods have. */
export interface SuccessPolicy {
  readonly rules?: readonly { readonly succeededIndexes?: string; readonly succeededCount?: number }[] | null;
}

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
  readonly podFailurePolicy?: { readonly rules?: readonly FailureRule[] | null };
  readonly successPolicy?: SuccessPolicy;
  readonly suspend?: boolean;
  readonly manualSelector?: boolean;
  readonly managedBy?: string;
  readonly selector?: LabelSelectorObject;
  readonly template?: PodTemplateSpec;
}

/** The status of a job. */
export interface JobStatus {
  readonly conditions?: readonly Condition[] | null;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly uncountedTerminatedPods?: {
    readonly succeeded?: readonly string[];
    readonly failed?: readonly string[];
  };
}

/** Pods that run until enough of them have succeeded. */
export interface Job extends ApiObject {
  readonly spec?: JobSpec;
  readonly status?: JobStatus;
}
