import type { Schema } from '@ashlar/core';
import { type Field, int32, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { part, quantity } from '../../shape-fields.ts';
import { labelSelector } from '../shared/label-selector.ts';
import { crossVersionObjectReference } from './metric-source.ts';

// Metrics of autoscalers in version v2beta1 and in the annotations of v1: targets and current values are fields of the source.

type Side = 'target' | 'current';

/** Values that are always there in statuses. */
const value = (side: Side, field: Field): Field => (side === 'current' ? printed(field) : optional(field));

const NAMES: Readonly<Record<Side, string>> = { target: 'Source', current: 'Status' };

function shapes(
  side: Side,
): Readonly<Record<'object' | 'pods' | 'resource' | 'container' | 'external', Schema>> {
  const name = (kind: string): string => `api.autoscaling.v2beta1.${kind}Metric${NAMES[side]}`;
  const amounts = {
    [`${side}AverageUtilization`]: optional(int32(2)),
    [`${side}AverageValue`]: value(side, quantity(3)),
  };
  return {
    object: type(name('Object'), {
      target: part(1, crossVersionObjectReference),
      metricName: printed(string(2)),
      [`${side}Value`]: printed(quantity(3)),
      selector: optional(part(4, labelSelector)),
      averageValue: optional(quantity(5)),
    }),
    pods: type(name('Pods'), {
      metricName: printed(string(1)),
      [`${side}AverageValue`]: printed(quantity(2)),
      selector: optional(part(3, labelSelector)),
    }),
    resource: type(name('Resource'), { name: printed(string(1)), ...amounts }),
    container: type(name('ContainerResource'), {
      name: printed(string(1)),
      ...amounts,
      container: printed(string(side === 'target' ? 5 : 4)),
    }),
    external: type(name('External'), {
      metricName: printed(string(1)),
      metricSelector: optional(part(2, labelSelector)),
      [`${side}Value`]: value(side, quantity(3)),
      [`${side}AverageValue`]: optional(quantity(4)),
    }),
  };
}

function metric(typeName: string, side: Side): Schema {
  const { object, pods, resource, container, external } = shapes(side);
  return type(
    typeName,
    {
      type: printed(string(1)),
      object: optional(part(2, object)),
      pods: optional(part(3, pods)),
      resource: optional(part(4, resource)),
      containerResource: optional(part(7, container)),
      external: optional(part(5, external)),
    },
    { required: ['type'] },
  );
}

/** Schema of `MetricSpec`. */
export const oldMetricSpec: Schema = metric('api.autoscaling.v2beta1.MetricSpec', 'target');

/** Schema of `MetricStatus`. */
export const oldMetricStatus: Schema = metric('api.autoscaling.v2beta1.MetricStatus', 'current');
