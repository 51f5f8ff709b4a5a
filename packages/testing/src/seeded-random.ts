import type { Random } from '@ashlar/core';

/** Random numbers that can be repeated. */
export interface SeededRandom extends Random {
  /** The same numbers from here on, independently of this one. */
  clone(): SeededRandom;
}

/** Random bytes that are the same for the same seed: names and uids of a test can be written down (xorshift32). */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed | 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  };
  return {
    bytes(into) {
      for (let i = 0; i < into.length; i++) into[i] = next();
      return into;
    },
    clone: () => createSeededRandom(state),
  };
}
