import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { int32, int64, optional, printed, string, time, type } from '../../../types/schema-fields.ts';
import { part, withDefault } from '../../shape-fields.ts';

// Autoscalers by CPU utilization, version v1.

const crossVersionObjectReference = type(
  'api.autoscaling.v1.CrossVersionObjectReference',
  {
    kind: printed(string(1)),
    name: printed(string(2)),
    apiVersion: string(3),
  },
  { required: ['kind', 'name'], mapType: 'atomic' },
);

const horizontalPodAutoscalerSpec = type(
  'api.autoscaling.v1.HorizontalPodAutoscalerSpec',
  {
    scaleTargetRef: part(1, crossVersionObjectReference),
    minReplicas: withDefault(optional(int32(2)), 1),
    maxReplicas: printed(int32(3)),
    targetCPUUtilizationPercentage: optional(int32(4)),
  },
  { required: ['scaleTargetRef', 'maxReplicas'] },
);

const horizontalPodAutoscalerStatus = type(
  'api.autoscaling.v1.HorizontalPodAutoscalerStatus',
  {
    observedGeneration: optional(int64(1)),
    lastScaleTime: optional(time(2)),
    currentReplicas: printed(int32(3)),
    desiredReplicas: printed(int32(4)),
    currentCPUUtilizationPercentage: optional(int32(5)),
  },
  { required: ['currentReplicas', 'desiredReplicas'] },
);

/** Schema of `HorizontalPodAutoscaler`. */
export const horizontalPodAutoscalerV1Schema: Schema = kindSchema(
  'api.autoscaling.v1.HorizontalPodAutoscaler',
  'Scales something by what is measured.',
  {
    spec: part(2, horizontalPodAutoscalerSpec),
    status: part(3, horizontalPodAutoscalerStatus),
  },
);
