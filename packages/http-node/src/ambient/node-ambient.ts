import { randomFillSync } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import {
  type Ambient,
  type Clock,
  checkVocabulary,
  type Random,
  type Timer,
  type Vocabulary,
} from '@ashlar/core';
import { FairTurns } from './fair-turns.ts';

/** The longest delay that timers of Node support; longer ones would fire immediately. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * The clock of the machine. Pending timers do not keep the process alive, unless somebody waits for them in a
 * request: whatever else must complete has a socket or a file.
 */
export const nodeClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(milliseconds, call): Timer {
    let timer: NodeJS.Timeout;
    let keepsAlive = false;
    const start = (left: number): void => {
      const step = Math.min(left, LONGEST_DELAY);
      timer = setTimeout(() => (left > step ? start(left - step) : call()), step);
      if (!keepsAlive) timer.unref();
    };
    start(Math.max(0, milliseconds));
    return {
      clear: () => clearTimeout(timer),
      hold: () => {
        keepsAlive = true;
        timer.ref();
      },
    };
  },
};

/** Bytes fetched from the platform at a time; a call for a few costs as much as one for all of these. */
const POOL_BYTES = 4096;
const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/**
 * The random generator of the platform. Small requests, such as identifiers, are served from bytes fetched
 * before.
 */
export const nodeRandom: Random = {
  bytes(into) {
    if (into.length > POOL_BYTES / 16) return randomFillSync(into);
    if (used + into.length > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    for (let i = 0; i < into.length; i++, used++) {
      into[i] = pool[used] as number;
      // bytes that were handed out must not be readable here
      pool[used] = 0;
    }
    return into;
  },
};

/**
 * Clock and randomness of this process: the only place that uses the global ones.
 *
 * @example
 * const ambient = nodeAmbient(vocabulary);
 * ambient.clock.now(); // 1732212000000
 */
export function nodeAmbient(vocabulary: Vocabulary): Ambient {
  checkVocabulary('nodeAmbient', vocabulary);
  return { clock: nodeClock, random: nodeRandom, vocabulary, turns: new FairTurns() };
}
