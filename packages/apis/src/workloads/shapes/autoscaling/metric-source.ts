import type { Schema } from '@ashlar/core';
import { int32, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { part, quantity, textOf } from '../../shape-fields.ts';
import { labelSelector } from '../shared/label-selector.ts';

// Metrics of autoscalers.

/** Schema of `CrossVersionObjectReference`. */
export const crossVersionObjectReference: Schema = type(
  'api.autoscaling.v2.CrossVersionObjectReference',
  {
    kind: printed(string(1)),
    name: printed(string(2)),
    apiVersion: string(3),
  },
  { required: ['kind', 'name'] },
);

/** Schema of `MetricIdentifier`. */
export const metricIdentifier: Schema = type(
  'api.autoscaling.v2.MetricIdentifier',
  {
    name: printed(string(1)),
    selector: optional(part(2, labelSelector)),
  },
  { required: ['name'] },
);

const metricTarget = type(
  'api.autoscaling.v2.MetricTarget',
  {
    type: printed(textOf(1, 'api.autoscaling.v2.MetricTargetType')),
    value: optional(quantity(2)),
    averageValue: optional(quantity(3)),
    averageUtilization: optional(int32(4)),
  },
  { required: ['type'] },
);

const objectMetricSource = type(
  'api.autoscaling.v2.ObjectMetricSource',
  {
    describedObject: part(1, crossVersionObjectReference),
    target: part(2, metricTarget),
    metric: part(3, metricIdentifier),
  },
  { required: ['describedObject', 'target', 'metric'] },
);

const podsMetricSource = type(
  'api.autoscaling.v2.PodsMetricSource',
  {
    metric: part(1, metricIdentifier),
    target: part(2, metricTarget),
  },
  { required: ['metric', 'target'] },
);

const resourceMetricSource = type(
  'api.autoscaling.v2.ResourceMetricSource',
  {
    name: printed(textOf(1, 'api.core.v1.ResourceName')),
    target: part(2, metricTarget),
  },
  { required: ['name', 'target'] },
);

const containerResourceMetricSource = type(
  'api.autoscaling.v2.ContainerResourceMetricSource',
  {
    name: printed(textOf(1, 'api.core.v1.ResourceName')),
    target: part(2, metricTarget),
    container: printed(string(3)),
  },
  { required: ['name', 'target', 'container'] },
);

const externalMetricSource = type(
  'api.autoscaling.v2.ExternalMetricSource',
  {
    metric: part(1, metricIdentifier),
    target: part(2, metricTarget),
  },
  { required: ['metric', 'target'] },
);

/** Schema of `MetricSpec`. */
export const metricSpec: Schema = type(
  'api.autoscaling.v2.MetricSpec',
  {
    type: printed(textOf(1, 'api.autoscaling.v2.MetricSourceType')),
    object: optional(part(2, objectMetricSource)),
    pods: optional(part(3, podsMetricSource)),
    resource: optional(part(4, resourceMetricSource)),
    containerResource: optional(part(7, containerResourceMetricSource)),
    external: optional(part(5, externalMetricSource)),
  },
  { required: ['type'] },
);
