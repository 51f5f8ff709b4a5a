import type { Random } from '@ashlar/core';

/** Delays in milliseconds. */
export interface BackOffOptions {
  /** Before the second attempt. */
  readonly base: number;
  readonly maximum: number;
}

/** The delay after a number of failures in a row (1, 2, …): doubled each time, up to the maximum. */
export function backOffDelay({ base, maximum }: BackOffOptions, failures: number): number {
  return Math.min(maximum, base * 2 ** Math.max(0, Math.min(failures - 1, 60)));
}

/** A delay with random jitter of up to its own length, so that many clients do not retry together. */
export function jittered(delay: number, random: Random): number {
  const [high = 0, low = 0] = random.bytes(new Uint8Array(2));
  return delay * (1 + (high * 256 + low) / 65_536);
}
