import type { Clock } from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';

/** Counts how long a request waits for webhooks. */
export async function whileWaiting<T>(
  { waits }: Pick<AdmissionRequest, 'waits'>,
  clock: Pick<Clock, 'monotonic'>,
  call: () => Promise<T>,
): Promise<T> {
  const started = clock.monotonic();
  try {
    return await call();
  } finally {
    if (waits) waits.waitedMilliseconds += clock.monotonic() - started;
  }
}
