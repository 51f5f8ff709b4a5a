import { performance } from 'node:perf_hooks';
import type { Clock, Timer } from '@ashlar/core';

/**
 * The time of the machine: what the engine waits by unless its host gives it another clock. Timers keep the process alive:
 * behind each of them is a call that somebody waits for.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(milliseconds, call): Timer {
    const timer = setTimeout(call, Math.max(0, milliseconds));
    return { clear: () => clearTimeout(timer) };
  },
};
