import type { Autoscaler, Metric, MetricSource } from './autoscaler-types.ts';

const MOST = 2;

/** Metrics of an autoscaler with current values, two of them at most (semantics/tables#built-in-columns). */
export function metricsText({ spec, status }: Autoscaler): string {
  const metrics = spec?.metrics ?? [];
  if (metrics.length === 0) return '<none>';
  const seen = status?.currentMetrics ?? [];
  const texts = metrics.map((metric, index) => metricText(metric, seen[index]));
  const shown = texts.slice(0, MOST).join(', ');
  return texts.length > MOST ? `${shown} + ${texts.length - MOST} more...` : shown;
}

function metricText(metric: Metric, seen: Metric | undefined): string {
  switch (metric.type) {
    case 'External':
      return amountText(metric.external, seen?.external);
    case 'Object':
      return amountText(metric.object, seen?.object);
    case 'Pods':
      return `${seen?.pods ? (seen.pods.current?.averageValue ?? '0') : '<unknown>'}/${metric.pods?.target?.averageValue ?? '0'}`;
    case 'Resource':
      return resourceText(metric.resource, seen?.resource);
    case 'ContainerResource':
      return resourceText(metric.containerResource, seen?.containerResource);
    default:
      return '<unknown type>';
  }
}

function amountText(wanted: MetricSource | undefined, seen: MetricSource | undefined): string {
  const average = wanted?.target?.averageValue;
  if (average !== undefined) return `${seen?.current?.averageValue ?? '<unknown>'}/${average} (avg)`;
  const current = seen ? (seen.current?.value ?? '0') : '<unknown>';
  return `${current}/${wanted?.target?.value ?? '0'}`;
}

function resourceText(wanted: MetricSource | undefined, seen: MetricSource | undefined): string {
  const name = wanted?.name ?? '';
  const { averageValue, averageUtilization } = wanted?.target ?? {};
  if (averageValue !== undefined) {
    const current = seen ? (seen.current?.averageValue ?? '0') : '<unknown>';
    return `${name}: ${current}/${averageValue}`;
  }
  const percent = (value: number | undefined, none: string): string =>
    value === undefined ? none : `${value}%`;
  return `${name}: ${percent(seen?.current?.averageUtilization, '<unknown>')}/${percent(averageUtilization, '<auto>')}`;
}
