import type { Ambient, Clock, Metrics } from '@ashlar/core';
import type { KeyService } from '../kms/key-service.ts';
import { createKmsMetrics, type KmsMetrics } from '../kms/kms-metrics.ts';
import type { AesGcmCipher } from '../values/aes-gcm-cipher.ts';
import { createTransformationMetrics, type ObserveTransformation } from '../values/transformation-metrics.ts';
import type { KmsProvider } from './encryption-configuration.ts';

/** The metrics of encryption, registered once and shared by all configurations of a server. */
export interface EncryptionMetrics {
  readonly transformation: ObserveTransformation;
  readonly kms: KmsMetrics;
}

/** Registers the metrics of encryption. */
export function createEncryptionMetrics(metrics: Metrics, clock: Clock): EncryptionMetrics {
  return { transformation: createTransformationMetrics(metrics), kms: createKmsMetrics(metrics, clock) };
}

/** Dependencies of encryption. */
export interface EncryptionOptions {
  readonly ambient: Ambient;
  readonly metrics: EncryptionMetrics;
  /** Connects to the service of a provider; without it, configurations with key services are refused. */
  readonly connect?: (provider: KmsProvider) => KeyService;
  /** AES-GCM of the platform. By default one that runs everywhere. */
  readonly aesGcm?: AesGcmCipher;
  /** Whether the configuration may be exchanged: its health checks have one name then. Default false */
  readonly reload?: boolean;
}
