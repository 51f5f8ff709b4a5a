import { describe, expect, it } from 'vitest';
import type { Clock } from './ambient.ts';
import { pause, runAtOnce, runInSlices, type Steps } from './steps.ts';

/** Counts to a number and yields at each step. */
function* countTo(end: number): Steps<number> {
  let at = 0;
  while (at < end) {
    at++;
    yield;
  }
  return at;
}

/** A clock that advances by a millisecond whenever it is read. */
function slowClock(): Clock {
  let now = 0;
  return { now: () => now, monotonic: () => now++, setTimer: () => ({ clear() {} }) };
}

describe('steps', () => {
  it('run at once', () => {
    expect(runAtOnce(countTo(1000))).toBe(1000);
  });

  it('return without a promise what is done in one slice', () => {
    expect(runInSlices(countTo(3), { clock: slowClock() })).toBe(3);
  });

  it('pause between slices, so that other work runs', async () => {
    let pauses = 0;
    const waiting = runInSlices(countTo(25), {
      clock: slowClock(),
      turns: {
        requestBegan() {},
        atEndOfTurn() {},
        async pause() {
          pauses++;
        },
      },
    });
    expect(waiting).toBeInstanceOf(Promise);
    expect(await waiting).toBe(25);
    expect(pauses).toBe(2);
  });

  it('pause before their first slice where others have used the turn, unless they are small', async () => {
    let pauses = 0;
    const ambient = {
      clock: slowClock(),
      turns: {
        requestBegan() {},
        atEndOfTurn() {},
        maySlice: () => false,
        async pause() {
          pauses++;
        },
      },
    };
    expect(runInSlices(countTo(0), ambient)).toBe(0);
    expect(await runInSlices(countTo(3), ambient)).toBe(3);
    expect(pauses).toBe(1);
    expect(await runInSlices(countTo(25), ambient)).toBe(25);
    expect(pauses).toBe(4);
  });

  it('rethrow errors', async () => {
    function* failing(): Steps<never> {
      yield* countTo(25);
      throw new RangeError('too far');
    }
    await expect(async () => runInSlices(failing(), { clock: slowClock() })).rejects.toThrow('too far');
    expect(() => runAtOnce(failing())).toThrow('too far');
  });

  it('let timers run during a pause without an ambient', async () => {
    let fired = false;
    setTimeout(() => {
      fired = true;
    }, 0);
    const end = performance.now() + 5000;
    while (!fired && performance.now() < end) await pause({});
    expect(fired).toBe(true);
  });
});
