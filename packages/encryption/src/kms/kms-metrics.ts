import { type Clock, exponentialBounds, type Histogram, type LabelValues, type Metrics } from '@ashlar/core';
import { keyHash } from './key-hash.ts';

/** Counts what happens between a server and its key services. */
export interface KmsMetrics {
  /** A value was read or written with a key of the service. */
  usedKey(kind: 'from_storage' | 'to_storage', provider: string, keyId: string): void;
  /** The service reported its key. */
  reportedKey(provider: string, keyId: string): void;
  /** The service reported a key id that is not allowed. */
  reportedInvalidKey(provider: string, error: 'empty' | 'too_long'): void;
  /** The service must decrypt the key of a value. */
  cacheMiss(): void;
  cacheSize(provider: string, size: number): void;
  readonly latency: Histogram;
}

const PREFIX = 'apiserver_envelope_encryption';

/** Registers the metrics, once for all providers of a server. */
export function createKmsMetrics(metrics: Metrics, clock: Clock): KmsMetrics {
  const used = metrics.counter({
    name: `${PREFIX}_key_id_hash_total`,
    help: 'Number of times a keyID is used split by transformation type, provider, and apiserver identity.',
    labels: ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'],
  });
  const usedAt = lastTimes(metrics, clock, {
    name: `${PREFIX}_key_id_hash_last_timestamp_seconds`,
    help: 'The last time in seconds when a keyID was used.',
    labels: ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'],
  });
  const reportedAt = lastTimes(metrics, clock, {
    name: `${PREFIX}_key_id_hash_status_last_timestamp_seconds`,
    help: 'The last time in seconds when a keyID was returned by the Status RPC call.',
    labels: ['provider_name', 'key_id_hash', 'apiserver_id_hash'],
  });
  const invalid = metrics.counter({
    name: `${PREFIX}_invalid_key_id_from_status_total`,
    help: 'Number of times an invalid keyID is returned by the Status RPC call split by error.',
    labels: ['provider_name', 'error'],
  });
  const misses = metrics.counter({
    name: 'apiserver_storage_envelope_transformation_cache_misses_total',
    help: 'Total number of cache misses while accessing key decryption key(KEK).',
  });
  const sizes = new Map<string, number>();
  metrics.gauge(
    {
      name: `${PREFIX}_dek_source_cache_size`,
      help: 'Number of records in data encryption key (DEK) source cache.',
      labels: ['provider_name'],
    },
    () => [...sizes].map(([provider, value]) => ({ labels: [provider], value })),
  );
  return {
    usedKey(kind, provider, keyId) {
      const labels = [kind, provider, keyHash(keyId), ''];
      used.add(labels);
      usedAt(labels);
    },
    reportedKey: (provider, keyId) => reportedAt([provider, keyHash(keyId), '']),
    reportedInvalidKey: (provider, error) => invalid.add([provider, error]),
    cacheMiss: () => misses.add([]),
    cacheSize: (provider, size) => sizes.set(provider, size),
    latency: metrics.histogram(
      {
        name: `${PREFIX}_kms_operations_latency_seconds`,
        help: 'KMS operation duration with gRPC error code status total.',
        labels: ['provider_name', 'method_name', 'grpc_status_code'],
      },
      exponentialBounds(0.0001, 2, 19),
    ),
  };
}

/** How many keys are remembered: services change them rarely. */
const MAXIMUM_TIMES = 100;

function lastTimes(
  metrics: Metrics,
  clock: Clock,
  description: { readonly name: string; readonly help: string; readonly labels: readonly string[] },
): (labels: LabelValues) => void {
  const times = new Map<string, { readonly labels: LabelValues; readonly value: number }>();
  metrics.gauge(description, () => [...times.values()]);
  return (labels) => {
    const key = labels.join('\n');
    times.delete(key);
    times.set(key, { labels, value: clock.now() / 1000 });
    if (times.size > MAXIMUM_TIMES) times.delete(times.keys().next().value as string);
  };
}
