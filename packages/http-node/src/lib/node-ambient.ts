import { performance } from 'node:perf_hooks';
import type { Ambient, Clock, Random, Timer, Vocabulary } from '@ashlar/core';

/** The longest delay that a timer of Node keeps; longer ones would fire at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * The time of the machine. Pending timers do not keep the process alive: what must be waited for has a socket, a file
 * or a promise of its own.
 */
export const nodeClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(milliseconds, call): Timer {
    let timer: NodeJS.Timeout;
    const start = (left: number): void => {
      const step = Math.min(left, LONGEST_DELAY);
      timer = setTimeout(() => (left > step ? start(left - step) : call()), step).unref();
    };
    start(Math.max(0, milliseconds));
    return { clear: () => clearTimeout(timer) };
  },
};

/** The generator of the platform, 65,536 bytes at a time at most. */
export const nodeRandom: Random = {
  bytes(into) {
    for (let at = 0; at < into.length; at += 65_536) crypto.getRandomValues(into.subarray(at, at + 65_536));
    return into;
  },
};

/**
 * Time and randomness of this process: the edge where the global ones enter.
 *
 * @example
 * const ambient = nodeAmbient(vocabulary);
 * ambient.clock.now(); // 1732212000000
 */
export function nodeAmbient(vocabulary: Vocabulary): Ambient {
  return { clock: nodeClock, random: nodeRandom, vocabulary };
}
