import type { Clock, Timer } from './ambient.ts';

/** A clock that stands still until it is advanced. */
export interface SteppedClock extends Clock {
  /** Advances the clock and calls the timers that fall due, in order, each at its time. */
  advance(milliseconds: number): void;
  /** Milliseconds until each pending timer falls due, earliest first. */
  pending(): readonly number[];
}

/**
 * A clock for tests that stands still at `start` (milliseconds since 1970).
 *
 * @example
 * const clock = createSteppedClock();
 * const slept = sleep(clock, 1000);
 * clock.advance(1000);
 * await slept;
 */
export function createSteppedClock(start: number = 0): SteppedClock {
  const timers = new Set<{ readonly at: number; readonly call: () => void }>();
  let elapsed = 0;
  const nextUntil = (end: number): { readonly at: number; readonly call: () => void } | undefined => {
    const due = [...timers].filter((timer) => timer.at <= end);
    return due.length === 0 ? undefined : due.reduce((a, b) => (b.at < a.at ? b : a));
  };
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    setTimer(milliseconds: number, call: () => void): Timer {
      const timer = { at: elapsed + Math.max(0, milliseconds), call };
      timers.add(timer);
      return { clear: () => void timers.delete(timer) };
    },
    advance(milliseconds: number): void {
      const end = elapsed + milliseconds;
      for (let timer = nextUntil(end); timer; timer = nextUntil(end)) {
        timers.delete(timer);
        elapsed = timer.at;
        timer.call();
      }
      elapsed = end;
    },
    pending: () => Array.from(timers, ({ at }) => at - elapsed).sort((a, b) => a - b),
  };
}
