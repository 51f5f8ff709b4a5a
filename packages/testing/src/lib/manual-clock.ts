import type { Clock, Timer } from '@ashlar/core';

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Goes on by that many milliseconds; timers that fall due are called in order, and what they promise is waited for. */
  advance(milliseconds: number): Promise<void>;
}

/** @param start milliseconds since 1970; default 2001-01-01T00:00:00Z */
export function createManualClock(start: number = Date.UTC(2001, 0, 1)): ManualClock {
  let now = start;
  const timers = new Set<{ at: number; call: () => void }>();
  return {
    now: () => now,
    monotonic: () => now - start,
    setTimer(milliseconds, call): Timer {
      const timer = { at: now + Math.max(0, milliseconds), call };
      timers.add(timer);
      return { clear: () => void timers.delete(timer) };
    },
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers.delete(due);
        now = Math.max(now, due.at);
        due.call();
        await settled();
      }
      now = end;
      await settled();
    },
  };
}

/** Lets promises that are at hand go on. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
