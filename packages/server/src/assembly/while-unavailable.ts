import { type Clock, StatusError, sleep } from '@ashlar/core';

/** Pauses between attempts, in milliseconds. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2000;

/**
 * Runs a task of the start, and retries it while the storage is unavailable: a server that starts during an outage becomes ready
 * later instead of failing.
 *
 * @throws what `work` throws, unless a retry may succeed; the reason of the signal
 */
export async function whileUnavailable<T>(
  work: () => Promise<T>,
  clock: Clock,
  signal: AbortSignal,
): Promise<T> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await sleep(clock, pause, signal);
    }
  }
}

/** Whether an error asks the caller to retry: 429, 503, 504. */
function isPassing(error: unknown): boolean {
  return StatusError.is(error) && error.details?.retryAfterSeconds !== undefined && error.code >= 429;
}
