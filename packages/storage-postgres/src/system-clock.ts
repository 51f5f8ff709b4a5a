import { performance } from 'node:perf_hooks';
import type { Clock, Timer } from '@ashlar/core';

/**
 * The clock of the machine, the default of the engine. Timers keep the process alive: a caller waits for each
 * of them.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(milliseconds, call): Timer {
    const timer = setTimeout(call, Math.max(0, milliseconds));
    return { clear: () => clearTimeout(timer) };
  },
};
