import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import {
  atomic,
  int32,
  int64,
  keyedBy,
  optional,
  printed,
  time,
  type,
} from '../../../types/schema-fields.ts';
import { listOf, part, textOf, withDefault } from '../../shape-fields.ts';
import { kindCondition } from '../shared/kind-condition.ts';
import { crossVersionObjectReference, metricSpec } from './metric-source.ts';
import { metricStatus } from './metric-status.ts';

// Autoscalers, version v2.

const hpaScalingPolicy = type(
  'api.autoscaling.v2.HPAScalingPolicy',
  {
    type: printed(textOf(1, 'api.autoscaling.v2.HPAScalingPolicyType')),
    value: printed(int32(2)),
    periodSeconds: printed(int32(3)),
  },
  { required: ['type', 'value', 'periodSeconds'] },
);

const hpaScalingRules = type('api.autoscaling.v2.HPAScalingRules', {
  stabilizationWindowSeconds: optional(int32(3)),
  selectPolicy: optional(textOf(1, 'api.autoscaling.v2.ScalingPolicySelect')),
  // an empty list is not the default
  policies: optional(listOf(2, hpaScalingPolicy, atomic)),
});

const horizontalPodAutoscalerBehavior = type('api.autoscaling.v2.HorizontalPodAutoscalerBehavior', {
  scaleUp: optional(part(1, hpaScalingRules)),
  scaleDown: optional(part(2, hpaScalingRules)),
});

const horizontalPodAutoscalerSpec = type(
  'api.autoscaling.v2.HorizontalPodAutoscalerSpec',
  {
    scaleTargetRef: part(1, crossVersionObjectReference),
    minReplicas: withDefault(optional(int32(2)), 1),
    maxReplicas: printed(int32(3)),
    metrics: listOf(4, metricSpec, atomic),
    behavior: optional(part(5, horizontalPodAutoscalerBehavior)),
  },
  { required: ['scaleTargetRef', 'maxReplicas'] },
);

const horizontalPodAutoscalerCondition = kindCondition('api.autoscaling.v2.HorizontalPodAutoscalerCondition');

const horizontalPodAutoscalerStatus = type(
  'api.autoscaling.v2.HorizontalPodAutoscalerStatus',
  {
    observedGeneration: optional(int64(1)),
    lastScaleTime: optional(time(2)),
    currentReplicas: int32(3),
    desiredReplicas: printed(int32(4)),
    currentMetrics: printed(listOf(5, metricStatus, atomic)),
    conditions: listOf(6, horizontalPodAutoscalerCondition, keyedBy('type')),
  },
  { required: ['desiredReplicas'] },
);

/** Schema of `HorizontalPodAutoscaler`. */
export const horizontalPodAutoscalerSchema: Schema = kindSchema(
  'api.autoscaling.v2.HorizontalPodAutoscaler',
  'Scales something by what is measured.',
  {
    spec: part(2, horizontalPodAutoscalerSpec),
    status: part(3, horizontalPodAutoscalerStatus),
  },
);
