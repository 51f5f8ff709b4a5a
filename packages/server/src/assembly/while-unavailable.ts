import { type Clock, StatusError, sleep } from '@ashlar/core';

/** Pauses between attempts, in milliseconds. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2000;

/**
 * Does what a server needs before it is ready, again and again while the storage is not to be had: a server that begins in a bad
 * moment is late, not broken.
 *
 * @throws what `work` throws, unless waiting may mend it; the reason of the signal
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

/** Refusals that ask callers to come again: 429, 503, 504. */
function isPassing(error: unknown): boolean {
  return StatusError.is(error) && error.details?.retryAfterSeconds !== undefined && error.code >= 429;
}
