import { actualValueText, type Clock } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';

/** A clock that stands still until a test advances it. */
export interface ManualClock extends Clock {
  /**
   * Advances the clock by that many milliseconds; timers that fall due are called in order, and their
   * promises awaited.
   */
  advance(milliseconds: number): Promise<void>;
}

/** @param start milliseconds since 1970; default 2001-01-01T00:00:00Z */
export function createManualClock(start: number = Date.UTC(2001, 0, 1)): ManualClock {
  const clock = createSteppedClock(start);
  return {
    ...clock,
    async advance(milliseconds) {
      if (!Number.isFinite(milliseconds) || milliseconds < 0)
        throw new TypeError(
          `clock.advance takes a number of milliseconds, not ${actualValueText(milliseconds)}`,
        );
      const end = clock.monotonic() + milliseconds;
      const left = (): number => end - clock.monotonic();
      for (let next = clock.pending()[0]; next !== undefined && next <= left(); next = clock.pending()[0]) {
        clock.advance(next);
        await settled();
      }
      clock.advance(left());
      await settled();
    },
  };
}

/** Runs settled promises. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
