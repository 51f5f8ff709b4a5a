import { describe, expect, it } from 'vitest';
import { createSteppedClock } from './stepped-clock.ts';

describe('manual clock', () => {
  it('stands still until it is advanced', () => {
    const clock = createSteppedClock(1000);
    expect([clock.now(), clock.monotonic()]).toEqual([1000, 0]);
    clock.advance(5);
    expect([clock.now(), clock.monotonic()]).toEqual([1005, 5]);
  });

  it('calls timers in order, each at its time, including those set by other timers', () => {
    const clock = createSteppedClock();
    const calls: [string, number][] = [];
    const note = (name: string) => () => calls.push([name, clock.now()]);
    clock.setTimer(20, note('b'));
    clock.setTimer(10, () => {
      note('a')();
      clock.setTimer(5, note('between'));
      clock.setTimer(-1, note('at once'));
    });
    clock.setTimer(20, note('c'));
    clock.setTimer(31, note('late'));
    expect(clock.pending()).toEqual([10, 20, 20, 31]);
    clock.advance(30);
    expect(calls).toEqual([
      ['a', 10],
      ['at once', 10],
      ['between', 15],
      ['b', 20],
      ['c', 20],
    ]);
    expect(clock.pending()).toEqual([1]);
  });

  it('does not call cleared timers', () => {
    const clock = createSteppedClock();
    let called = false;
    clock
      .setTimer(1, () => {
        called = true;
      })
      .clear();
    clock.advance(2);
    expect([called, clock.pending()]).toEqual([false, []]);
  });
});
