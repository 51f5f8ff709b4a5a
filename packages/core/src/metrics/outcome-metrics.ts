import type { Count, Distribution, MetricDescription, Metrics } from './metrics.ts';

/** Descriptions of the metrics of attempts, whose one label is the outcome. */
export interface OutcomeDescriptions {
  readonly attempts: Omit<MetricDescription, 'labels'>;
  /** Its times are in seconds. */
  readonly duration: Omit<MetricDescription, 'labels'>;
  /** Upper bounds of the buckets of times. */
  readonly bounds: readonly number[];
}

/**
 * Counts attempts by the label `result`, and their duration.
 * @returns counts one attempt
 * @throws TypeError if one of the metrics is already registered
 */
export function countOutcomes<R extends string>(
  metrics: Metrics,
  { attempts, duration, bounds }: OutcomeDescriptions,
): (result: R, seconds: number) => void {
  const labels = ['result'];
  const counter = metrics.counter({ ...attempts, labels });
  const histogram = metrics.histogram({ ...duration, labels }, bounds);
  const places = new Map<R, { readonly count: Count; readonly times: Distribution }>();
  return (result, seconds) => {
    let place = places.get(result);
    if (!place) {
      place = { count: counter.of([result]), times: histogram.of([result]) };
      places.set(result, place);
    }
    place.count.add();
    place.times.observe(seconds);
  };
}
