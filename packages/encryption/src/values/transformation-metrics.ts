import { exponentialBounds, type Metrics } from '@ashlar/core';
import { KeyServiceError } from '../kms/key-service-error.ts';

/** One value that was transformed, or failed to be. */
interface Transformation {
  readonly kind: 'from_storage' | 'to_storage';
  readonly resource: string;
  /** The prefix of its provider. */
  readonly prefix: string;
  readonly seconds: number;
  readonly error?: unknown;
}

export type ObserveTransformation = (transformation: Transformation) => void;

/** Registers the metrics of encrypted values. */
export function createTransformationMetrics(metrics: Metrics): ObserveTransformation {
  const operations = metrics.counter({
    name: 'apiserver_storage_transformation_operations_total',
    help: 'Total number of transformations. Successful transformation will have a status OK and a varied status string when the transformation fails.',
    labels: ['resource', 'status', 'transformation_type', 'transformer_prefix'],
  });
  const durations = metrics.histogram(
    {
      name: 'apiserver_storage_transformation_duration_seconds',
      help: 'Latencies in seconds of value transformation operations.',
      labels: ['transformation_type', 'transformer_prefix'],
    },
    exponentialBounds(0.000_005, 2, 25),
  );
  return ({ kind, resource, prefix, seconds, error }) => {
    operations.add([resource, statusOf(error), kind, prefix]);
    if (error === undefined) durations.observe([kind, prefix], seconds);
  };
}

/** The status of a key service, if it was one that failed. */
function statusOf(error: unknown): string {
  if (error === undefined) return 'OK';
  const cause = error instanceof Error ? error.cause : undefined;
  return KeyServiceError.is(cause) ? cause.status : 'unknown-non-grpc';
}
