import type { Clock, Histogram } from '@ashlar/core';
import type { KeyService } from './key-service.ts';
import { KeyServiceError } from './key-service-error.ts';

/** Measures how long the calls of a service take, by their outcome. */
export function measuredKeyService(
  service: KeyService,
  provider: string,
  { clock, latency }: { readonly clock: Clock; readonly latency: Histogram },
): KeyService {
  const measured = async <T>(method: string, call: () => Promise<T>): Promise<T> => {
    const start = clock.monotonic();
    let status = 'OK';
    try {
      return await call();
    } catch (error) {
      status = KeyServiceError.is(error) ? error.status : 'Unknown';
      throw error;
    } finally {
      latency.observe([provider, method, status], (clock.monotonic() - start) / 1000);
    }
  };
  return {
    status: () => measured('/v2.KeyManagementService/Status', () => service.status()),
    encrypt: (plaintext, uid) =>
      measured('/v2.KeyManagementService/Encrypt', () => service.encrypt(plaintext, uid)),
    decrypt: (encrypted, uid) =>
      measured('/v2.KeyManagementService/Decrypt', () => service.decrypt(encrypted, uid)),
    [Symbol.dispose]: () => service[Symbol.dispose]?.(),
  };
}
