import type { Schema } from '@ashlar/core';
import { atomic, int32, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { listOf, part } from '../../shape-fields.ts';
import { kindCondition } from '../shared/kind-condition.ts';
import { oldMetricSpec, oldMetricStatus } from './old-metrics.ts';

// What version v1 of autoscalers keeps in annotations.

/** Schema of the annotation of metrics. */
export const annotatedMetrics: Schema = listOf(1, oldMetricSpec, atomic);

/** Schema of the annotation of current metrics. */
export const annotatedCurrentMetrics: Schema = listOf(1, oldMetricStatus, atomic);

/** Schema of the annotation of conditions. */
export const annotatedConditions: Schema = listOf(
  1,
  kindCondition('api.autoscaling.v1.HorizontalPodAutoscalerCondition'),
  atomic,
);

const policy = type('api.autoscaling.HPAScalingPolicy', {
  Type: printed(string(1)),
  Value: printed(int32(2)),
  PeriodSeconds: printed(int32(3)),
});

const rules = type('api.autoscaling.HPAScalingRules', {
  StabilizationWindowSeconds: optional(int32(1)),
  SelectPolicy: optional(string(2)),
  Policies: optional(listOf(3, policy, atomic)),
});

/** Schema of the annotation of behavior, whose fields are spelled as in Go. */
export const annotatedBehavior: Schema = type('api.autoscaling.HorizontalPodAutoscalerBehavior', {
  ScaleUp: optional(part(1, rules)),
  ScaleDown: optional(part(2, rules)),
});
