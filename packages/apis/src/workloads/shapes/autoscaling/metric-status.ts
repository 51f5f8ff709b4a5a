import type { Schema } from '@ashlar/core';
import { int32, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { part, quantity, textOf } from '../../shape-fields.ts';
import { crossVersionObjectReference, metricIdentifier } from './metric-source.ts';

// Current metrics of autoscalers.

const metricValueStatus = type('api.autoscaling.v2.MetricValueStatus', {
  value: optional(quantity(1)),
  averageValue: optional(quantity(2)),
  averageUtilization: optional(int32(3)),
});

const objectMetricStatus = type(
  'api.autoscaling.v2.ObjectMetricStatus',
  {
    metric: part(1, metricIdentifier),
    current: part(2, metricValueStatus),
    describedObject: part(3, crossVersionObjectReference),
  },
  { required: ['metric', 'current', 'describedObject'] },
);

const podsMetricStatus = type(
  'api.autoscaling.v2.PodsMetricStatus',
  {
    metric: part(1, metricIdentifier),
    current: part(2, metricValueStatus),
  },
  { required: ['metric', 'current'] },
);

const resourceMetricStatus = type(
  'api.autoscaling.v2.ResourceMetricStatus',
  {
    name: printed(textOf(1, 'api.core.v1.ResourceName')),
    current: part(2, metricValueStatus),
  },
  { required: ['name', 'current'] },
);

const containerResourceMetricStatus = type(
  'api.autoscaling.v2.ContainerResourceMetricStatus',
  {
    name: printed(textOf(1, 'api.core.v1.ResourceName')),
    current: part(2, metricValueStatus),
    container: printed(string(3)),
  },
  { required: ['name', 'current', 'container'] },
);

const externalMetricStatus = type(
  'api.autoscaling.v2.ExternalMetricStatus',
  {
    metric: part(1, metricIdentifier),
    current: part(2, metricValueStatus),
  },
  { required: ['metric', 'current'] },
);

/** Schema of `MetricStatus`. */
export const metricStatus: Schema = type(
  'api.autoscaling.v2.MetricStatus',
  {
    type: printed(textOf(1, 'api.autoscaling.v2.MetricSourceType')),
    object: optional(part(2, objectMetricStatus)),
    pods: optional(part(3, podsMetricStatus)),
    resource: optional(part(4, resourceMetricStatus)),
    containerResource: optional(part(7, containerResourceMetricStatus)),
    external: optional(part(5, externalMetricStatus)),
  },
  { required: ['type'] },
);
