import { type ApiObject, type Vocabulary, withMetadata } from '@ashlar/core';
import { withoutAnnotations } from '@ashlar/registry';
import { AutoscalerAnnotations } from './autoscaler-annotations.ts';
import type { Autoscaler, AutoscalerV1, Metric } from './autoscaler-types.ts';
import type { MetricSide } from './metric-conversion.ts';

/** Converts between the two versions of autoscalers: what the older one has no fields for is in annotations. */
export interface AutoscalerConversion {
  toNew(object: ApiObject): ApiObject;
  toOld(object: ApiObject): ApiObject;
  /** Removes the annotations that only the older version reads. */
  withoutAnnotations(object: ApiObject): ApiObject;
  readonly annotations: AutoscalerAnnotations;
}

/** The conversion with the annotations of a vocabulary. */
export function autoscalerConversion(vocabulary: Vocabulary): AutoscalerConversion {
  const annotations = new AutoscalerAnnotations(vocabulary);
  return {
    toNew: (object) => toNew(object, annotations),
    toOld: (object) => toOld(object, annotations),
    withoutAnnotations: (object) => without(object, annotations.names),
    annotations,
  };
}

function toNew(object: AutoscalerV1, annotations: AutoscalerAnnotations): ApiObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = object.spec ?? {};
  const { currentCPUUtilizationPercentage: current, ...status } = object.status ?? {};
  const annotated = annotations.read(object.metadata.annotations);
  const { behavior, conditions } = annotated;
  const metrics = [...annotated.metrics, ...cpuMetric('target', target)];
  const currentMetrics =
    annotated.currentMetrics.length > 0 ? annotated.currentMetrics : cpuMetric('current', current);
  return {
    ...without(object, annotations.names),
    apiVersion: 'autoscaling/v2',
    spec: {
      ...spec,
      metrics: metrics.length > 0 ? metrics : cpuMetric('target', DEFAULT_UTILIZATION),
      ...(behavior && { behavior }),
    },
    status: {
      ...withReplicas(status, status.currentReplicas || undefined),
      currentMetrics: currentMetrics.length > 0 ? currentMetrics : null,
      ...(conditions.length > 0 && { conditions }),
    },
  };
}

/** What both versions have in the status, in the order in which they print it. */
function withReplicas(
  { observedGeneration, lastScaleTime, desiredReplicas = 0 }: NonNullable<Autoscaler['status']>,
  currentReplicas: number | undefined,
): NonNullable<Autoscaler['status']> {
  return {
    ...(observedGeneration !== undefined && { observedGeneration }),
    ...(lastScaleTime !== undefined && { lastScaleTime }),
    ...(currentReplicas !== undefined && { currentReplicas }),
    desiredReplicas,
  };
}

const DEFAULT_UTILIZATION = 80;

function cpuMetric(side: MetricSide, averageUtilization: number | undefined): readonly Metric[] {
  if (averageUtilization === undefined) return [];
  const value = side === 'target' ? { type: 'Utilization', averageUtilization } : { averageUtilization };
  return [{ type: 'Resource', resource: { name: 'cpu', [side]: value } }];
}

/** Returns the object without some annotations; itself if it has none of them. */
export function without(object: ApiObject, names: readonly string[]): ApiObject {
  const metadata = withoutAnnotations(object.metadata, names);
  return metadata === object.metadata ? object : { ...object, metadata };
}

function toOld(object: Autoscaler, annotations: AutoscalerAnnotations): ApiObject {
  const { metrics = [], behavior, ...spec } = object.spec ?? {};
  const { status = {} } = object;
  const { conditions = [] } = status;
  const currentMetrics = status.currentMetrics ?? [];
  const target = metrics.find(isCpu)?.resource?.target?.averageUtilization;
  const current = currentMetrics.findLast(isCurrentCpu)?.resource?.current?.averageUtilization;
  const others = metrics.filter((metric) => !isCpu(metric));
  const bare = without(object, annotations.names);
  const before = bare.metadata.annotations;
  const printed = annotations.print(before, { metrics: others, currentMetrics, behavior, conditions });
  return {
    ...(printed === before ? bare : withMetadata(bare, { annotations: printed })),
    apiVersion: 'autoscaling/v1',
    spec: { ...spec, ...(target !== undefined && { targetCPUUtilizationPercentage: target }) },
    status: {
      ...withReplicas(status, status.currentReplicas ?? 0),
      ...(current !== undefined && { currentCPUUtilizationPercentage: current }),
    },
  };
}

const isCpu = ({ type, resource }: Metric): boolean =>
  type === 'Resource' && resource?.name === 'cpu' && resource.target?.averageUtilization !== undefined;

const isCurrentCpu = ({ type, resource }: Metric): boolean =>
  type === 'Resource' && resource?.name === 'cpu' && resource.current?.averageUtilization !== undefined;
