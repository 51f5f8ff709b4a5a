import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { EvaluationSlices } from './evaluation-slices.ts';

describe('slices of evaluations', () => {
  it('end after ten milliseconds', async () => {
    const clock = createSteppedClock();
    let pauses = 0;
    const turns = {
      requestBegan() {},
      atEndOfTurn() {},
      // others take longer than a slice, which does not count
      async pause() {
        pauses++;
        clock.advance(20);
      },
    };
    const slices = new EvaluationSlices({ clock, turns });
    for (let i = 0; i < 10; i++) {
      await slices.next();
      clock.advance(4);
    }
    expect(pauses).toBe(3);
  });
});
