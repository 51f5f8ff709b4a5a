import {
  type ApiObject,
  type JsonObject,
  runAtOnce,
  type Steps,
  type Vocabulary,
  withMetadata,
} from '@ashlar/core';
import { withEntries } from '../../types/sorted-map.ts';
import { annotationReader } from '../annotated-value.ts';
import {
  annotatedConditions,
  annotatedCurrentMetrics,
  annotatedMetrics,
} from '../shapes/autoscaling/annotated-autoscaler.ts';
import { newBehavior, oldBehavior, readBehavior } from './annotated-behavior.ts';
import { AnnotatedMetrics } from './annotated-metrics.ts';
import type { Autoscaler, AutoscalerV1, Metric } from './autoscaler-types.ts';
import type { MetricSide } from './metric-conversion.ts';

/** Converts between the two versions of autoscalers: what the older one has no fields for is in annotations. */
export interface AutoscalerConversion {
  toNew(object: ApiObject): ApiObject;
  toOld(object: ApiObject): ApiObject;
  /** Converts with pauses the metrics that an object of the older version has, back and forth; `toNew` and `toOld` then do not convert them. */
  convertAheadSteps(object: ApiObject): Steps<void>;
  /** Removes the annotations that only the older version reads. */
  withoutAnnotations(object: ApiObject): ApiObject;
  /** Names of these annotations. */
  readonly annotations: readonly string[];
}

/** The conversion with the annotations of a vocabulary. */
export function autoscalerConversion({ labelDomain }: Vocabulary): AutoscalerConversion {
  const key = (name: string): string => `autoscaling.alpha.${labelDomain}/${name}`;
  const keys = {
    metrics: key('metrics'),
    current: key('current-metrics'),
    conditions: key('conditions'),
    behavior: key('behavior'),
  };
  return {
    toNew: (object) => toNew(object, keys),
    toOld: (object) => toOld(object, keys),
    convertAheadSteps: (object) => convertAheadSteps(object, keys),
    withoutAnnotations: (object) => withoutKeys(object, keys),
    annotations: Object.values(keys),
  };
}

interface Keys {
  readonly metrics: string;
  readonly current: string;
  readonly conditions: string;
  readonly behavior: string;
}

const targets = new AnnotatedMetrics('target', annotatedMetrics);
const currents = new AnnotatedMetrics('current', annotatedCurrentMetrics);
const readConditions = annotationReader<readonly JsonObject[]>(annotatedConditions);

function conditionsOf(text: string | undefined): readonly JsonObject[] {
  return text === undefined ? [] : (runAtOnce(readConditions(text)) ?? []);
}

/** Converts with pauses what is large in both directions, which conversions then find. */
function* convertAheadSteps({ metadata }: AutoscalerV1, keys: Keys): Steps<void> {
  const { annotations = {} } = metadata;
  yield* targets.printSteps(yield* targets.readSteps(annotations[keys.metrics]), isOther);
  yield* currents.printSteps(yield* currents.readSteps(annotations[keys.current]));
}

function toNew(object: AutoscalerV1, keys: Keys): ApiObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = object.spec ?? {};
  const { currentCPUUtilizationPercentage: current, ...status } = object.status ?? {};
  const annotations = object.metadata.annotations ?? {};
  const metrics = withCpuMetric(targets.read(annotations[keys.metrics]), target);
  const annotated = currents.read(annotations[keys.current]);
  const currentMetrics = annotated.length > 0 ? annotated : cpuMetric('current', current);
  const behavior = readBehavior(annotations[keys.behavior]);
  const conditions = conditionsOf(annotations[keys.conditions]);
  return {
    ...withoutKeys(object, keys),
    apiVersion: 'autoscaling/v2',
    spec: {
      ...spec,
      metrics: metrics.length > 0 ? metrics : cpuMetric('target', DEFAULT_UTILIZATION),
      ...(behavior && Object.keys(behavior).length > 0 && { behavior: newBehavior(behavior) }),
    },
    status: {
      ...withReplicas(status, status.currentReplicas || undefined),
      currentMetrics: currentMetrics.length > 0 ? currentMetrics : null,
      ...(conditions.length > 0 && { conditions }),
    },
  };
}

/** The same list if there is no target: its text is known. */
const withCpuMetric = (metrics: readonly Metric[], target: number | undefined): readonly Metric[] =>
  target === undefined ? metrics : [...metrics, ...cpuMetric('target', target)];

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

function withoutKeys(object: ApiObject, keys: Keys): ApiObject {
  const own = new Set<string>(Object.values(keys));
  const { annotations } = object.metadata;
  if (!annotations || !Object.keys(annotations).some((key) => own.has(key))) return object;
  const rest = Object.entries(annotations).filter(([key]) => !own.has(key));
  return withMetadata(object, { annotations: rest.length > 0 ? Object.fromEntries(rest) : undefined });
}

function toOld(object: Autoscaler, keys: Keys): ApiObject {
  const { metrics = [], behavior, ...spec } = object.spec ?? {};
  const status = object.status ?? {};
  const { currentMetrics, conditions } = status;
  const target = metrics.find(isCpu)?.resource?.target?.averageUtilization;
  const current = (currentMetrics ?? []).findLast(isCurrentCpu)?.resource?.current?.averageUtilization;
  const entries: [string, string][] = [
    ...entry(keys.metrics, targets.print(metrics, isOther)),
    ...entry(keys.current, currentMetrics ? currents.print(currentMetrics) : undefined),
    ...entry(keys.behavior, behavior && JSON.stringify(oldBehavior(behavior))),
    ...entry(keys.conditions, conditions?.length ? JSON.stringify(conditions) : undefined),
  ];
  const withoutAnnotations = withoutKeys(object, keys);
  const annotated =
    entries.length === 0
      ? withoutAnnotations
      : withMetadata(withoutAnnotations, {
          annotations: withEntries(withoutAnnotations.metadata.annotations ?? {}, entries),
        });
  return {
    ...annotated,
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

const isOther = (metric: Metric): boolean => !isCpu(metric);

function entry(key: string, text: string | undefined): [string, string][] {
  return text === undefined ? [] : [[key, text]];
}
