import { exponentialBounds, type Metrics } from '@ashlar/core';

/** Called once per value that was transformed, with the prefix of its provider and how long it took, in seconds. */
export type ObserveTransformation = (
  kind: 'from_storage' | 'to_storage',
  prefix: string,
  seconds: number,
  error?: unknown,
) => void;

/** Registers the metrics of encrypted values. */
export function createTransformationMetrics(metrics: Metrics): ObserveTransformation {
  const operations = metrics.counter({
    name: 'apiserver_storage_transformation_operations_total',
    help: 'Total number of transformations. Successful transformation will have a status OK and a varied status string when the transformation fails.',
    labels: ['transformation_type', 'transformer_prefix', 'status'],
  });
  const durations = metrics.histogram(
    {
      name: 'apiserver_storage_transformation_duration_seconds',
      help: 'Latencies in seconds of value transformation operations.',
      labels: ['transformation_type', 'transformer_prefix'],
    },
    exponentialBounds(0.000_005, 2, 25),
  );
  return (kind, prefix, seconds, error) => {
    operations.add([kind, prefix, error === undefined ? 'OK' : 'Unknown']);
    if (error === undefined) durations.observe([kind, prefix], seconds);
  };
}
