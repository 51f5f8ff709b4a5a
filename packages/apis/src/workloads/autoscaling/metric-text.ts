import type { Autoscaler, Metric, MetricSource } from './autoscaler-types.ts';

const MOST = 2;

/** An amount that a current metric does not have. */
const NO_AMOUNT = '<nil>';

/** Metrics of an autoscaler with current values, two of them at most (semantics/tables#built-in-columns). */
export function metricsText({ spec, status }: Autoscaler): string {
  const metrics = spec?.metrics ?? [];
  if (metrics.length === 0) return '<none>';
  const currentMetrics = status?.currentMetrics ?? [];
  const texts = metrics.map((metric, index) => metricText(metric, currentMetrics[index]));
  const shown = texts.slice(0, MOST).join(', ');
  return texts.length > MOST ? `${shown} + ${texts.length - MOST} more...` : shown;
}

function metricText(metric: Metric, current: Metric | undefined): string {
  switch (metric.type) {
    case 'External':
      return amountText(metric.external, current?.external);
    case 'Object':
      return amountText(metric.object, current?.object);
    case 'Pods':
      return `${current?.pods ? (current.pods.current?.averageValue ?? NO_AMOUNT) : '<unknown>'}/${metric.pods?.target?.averageValue ?? '0'}`;
    case 'Resource':
      return resourceText(metric.resource, current?.resource);
    case 'ContainerResource':
      return resourceText(metric.containerResource, current?.containerResource);
    default:
      return '<unknown type>';
  }
}

function amountText(target: MetricSource | undefined, observed: MetricSource | undefined): string {
  const average = target?.target?.averageValue;
  if (average !== undefined) return `${observed?.current?.averageValue ?? '<unknown>'}/${average} (avg)`;
  const current = observed ? (observed.current?.value ?? NO_AMOUNT) : '<unknown>';
  return `${current}/${target?.target?.value ?? '0'}`;
}

function resourceText(target: MetricSource | undefined, observed: MetricSource | undefined): string {
  const name = target?.name ?? '';
  const { averageValue, averageUtilization } = target?.target ?? {};
  if (averageValue !== undefined) {
    const current = observed ? (observed.current?.averageValue ?? NO_AMOUNT) : '<unknown>';
    return `${name}: ${current}/${averageValue}`;
  }
  const percent = (value: number | undefined, none: string): string =>
    value === undefined ? none : `${value}%`;
  return `${name}: ${percent(observed?.current?.averageUtilization, '<unknown>')}/${percent(averageUtilization, '<auto>')}`;
}
