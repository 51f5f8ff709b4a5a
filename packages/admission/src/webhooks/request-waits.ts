import type { Clock, WaitReason } from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';

/** Counts how long a request waits for webhooks. */
export async function whileWaiting<T>(
  reason: WaitReason,
  { waits }: Pick<AdmissionRequest, 'waits'>,
  clock: Pick<Clock, 'monotonic'>,
  call: () => Promise<T>,
): Promise<T> {
  const started = clock.monotonic();
  try {
    return await call();
  } finally {
    waits?.addWait(reason, clock.monotonic() - started);
  }
}
