import {
  type ApiObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Vocabulary,
  withMetadata,
} from '@ashlar/core';
import { withEntries } from '../../types/sorted-map.ts';
import type { Autoscaler, AutoscalerV1, Metric, ScalingRules } from './autoscaler-types.ts';
import { type MetricSide, toNewMetric, toOldMetric } from './metric-conversion.ts';

/** Converts between the two versions of autoscalers: what the older one has no fields for is in annotations. */
export interface AutoscalerConversion {
  toNew(object: ApiObject): ApiObject;
  toOld(object: ApiObject): ApiObject;
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

function toNew(object: AutoscalerV1, keys: Keys): ApiObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = object.spec ?? {};
  const { currentCPUUtilizationPercentage: current, ...status } = object.status ?? {};
  const annotations = object.metadata.annotations ?? {};
  const metrics = [...metricsOf(annotations[keys.metrics], 'target'), ...cpuMetric('target', target)];
  const annotated = metricsOf(annotations[keys.current], 'current');
  const currentMetrics = annotated.length > 0 ? annotated : cpuMetric('current', current);
  const behavior = parsed(annotations[keys.behavior]);
  const conditions = parsed(annotations[keys.conditions]);
  return {
    ...withoutKeys(object, keys),
    apiVersion: 'autoscaling/v2',
    spec: {
      ...spec,
      metrics: metrics.length > 0 ? metrics : cpuMetric('target', DEFAULT_UTILIZATION),
      ...(isJsonObject(behavior) && { behavior: newBehavior(behavior) }),
    },
    status: {
      ...withReplicas(status, status.currentReplicas || undefined),
      currentMetrics: currentMetrics.length > 0 ? currentMetrics : null,
      ...(Array.isArray(conditions) && { conditions }),
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

function metricsOf(text: string | undefined, side: MetricSide): readonly Metric[] {
  const list = parsed(text);
  return Array.isArray(list) ? list.filter(isJsonObject).map((old) => toNewMetric(old, side)) : [];
}

/** Behavior as its annotation spells it, in the words of version v2. */
export const newBehavior = (behavior: JsonObject): JsonValue => renamed(behavior, lowerFirst);

/** Undefined if the text is absent or not JSON: such an annotation is ignored. */
export function parsed(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
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
  const others = metrics.filter((metric) => !isCpu(metric)).map((metric) => toOldMetric(metric, 'target'));
  const statuses = (currentMetrics ?? []).map((metric) => toOldMetric(metric, 'current'));
  const entries: [string, string][] = [
    ...entry(keys.metrics, others.length > 0 ? others : undefined),
    ...entry(keys.current, statuses.length > 0 ? statuses : undefined),
    ...entry(keys.behavior, behavior && oldBehavior(behavior)),
    ...entry(keys.conditions, conditions?.length ? (conditions as unknown as JsonValue) : undefined),
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

function entry(key: string, value: JsonValue | undefined): [string, string][] {
  return value === undefined ? [] : [[key, JSON.stringify(value)]];
}

/** Behaviour as its annotation spells it: all fields, in upper camel case. */
export function oldBehavior({
  scaleUp,
  scaleDown,
}: NonNullable<NonNullable<Autoscaler['spec']>['behavior']>): JsonObject {
  return { ScaleUp: oldRules(scaleUp), ScaleDown: oldRules(scaleDown) };
}

function oldRules(rules: ScalingRules | undefined): JsonValue {
  if (!rules) return null;
  const { stabilizationWindowSeconds, selectPolicy, policies } = rules;
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
    SelectPolicy: selectPolicy ?? null,
    Policies: policies ? policies.map((policy) => renamed(policy, upperFirst)) : null,
  };
}

const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Renames all members at every depth: the annotation of behaviour has its own spelling. */
function renamed(value: JsonValue, rename: (name: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined && part !== null);
  return Object.fromEntries(entries.map(([name, part]) => [rename(name), renamed(part ?? null, rename)]));
}
