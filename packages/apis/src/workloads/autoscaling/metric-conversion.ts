import type { JsonObject, JsonValue } from '@ashlar/core';
import type { Metric, MetricSource, MetricValue } from './autoscaler-types.ts';

// Version v1 of autoscaling stores metrics other than CPU in annotations, in a shape of its own: what v2
// calls `resource.target.averageValue` is `resource.targetAverageValue` there.

type Kind = 'object' | 'pods' | 'resource' | 'containerResource' | 'external';

const KINDS: readonly Kind[] = ['object', 'pods', 'resource', 'containerResource', 'external'];

/** Whether values are targets or current ones. */
export type MetricSide = 'target' | 'current';

/** A metric of version v2 in the shape of v1. */
export function toOldMetric(metric: Metric, side: MetricSide): JsonObject {
  const sources = KINDS.flatMap((kind) => {
    const source = metric[kind];
    return source ? [[kind, present(oldSource(kind, source, source[side] ?? {}, side))]] : [];
  });
  return { type: metric.type ?? '', ...(Object.fromEntries(sources) as JsonObject) };
}

function oldSource(kind: Kind, source: MetricSource, value: MetricValue, side: MetricSide): Fields {
  const { name, selector } = source.metric ?? {};
  const { averageUtilization, averageValue } = value;
  const isStatus = side === 'current';
  switch (kind) {
    case 'object':
      return {
        target: source.describedObject,
        metricName: name ?? '',
        [`${side}Value`]: value.value ?? '0',
        selector,
        averageValue,
      };
    case 'pods':
      return { metricName: name ?? '', [`${side}AverageValue`]: averageValue ?? '0', selector };
    case 'external':
      return {
        metricName: name ?? '',
        metricSelector: selector,
        [`${side}Value`]: isStatus ? (value.value ?? '0') : value.value,
        [`${side}AverageValue`]: averageValue,
      };
    default:
      return {
        name: source.name ?? '',
        [`${side}AverageUtilization`]: averageUtilization,
        [`${side}AverageValue`]: isStatus ? (averageValue ?? '0') : averageValue,
        container: source.container,
      };
  }
}

type Fields = Readonly<Record<string, JsonValue | undefined>>;

const present = (fields: Fields): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;

/** A metric in the shape of v1 as one of v2. */
export function toNewMetric(old: JsonObject, side: MetricSide): Metric {
  const sources = KINDS.flatMap((kind) => {
    const source = old[kind];
    return source ? [[kind, newSource(kind, source as JsonObject, side)]] : [];
  });
  return { type: String(old.type ?? ''), ...(Object.fromEntries(sources) as Metric) };
}

function newSource(kind: Kind, old: JsonObject, side: MetricSide): MetricSource {
  const value = old[`${side}Value`];
  const averageValue = kind === 'object' ? old.averageValue : old[`${side}AverageValue`];
  const averageUtilization = old[`${side}AverageUtilization`];
  const selector = kind === 'external' ? old.metricSelector : old.selector;
  const amounts = present({ value, averageValue, averageUtilization });
  const typed = side === 'target' ? { type: targetType(kind, amounts), ...amounts } : amounts;
  const isNamed = kind === 'resource' || kind === 'containerResource';
  // in the order in which they are printed, which differs between the kinds
  const metric = isNamed ? undefined : present({ name: old.metricName, selector });
  if (kind === 'object')
    return present(
      side === 'target'
        ? { describedObject: old.target, target: typed, metric }
        : { metric, current: typed, describedObject: old.target },
    ) as MetricSource;
  const { name, container } = old;
  return present({ ...(isNamed && { name }), metric, [side]: typed, container }) as MetricSource;
}

function targetType(kind: Kind, { value, averageValue, averageUtilization }: JsonObject): string {
  if (averageUtilization !== undefined) return 'Utilization';
  if (kind === 'object') return averageValue === undefined ? 'Value' : 'AverageValue';
  return value === undefined ? 'AverageValue' : 'Value';
}
