import { describe, expect, it } from 'vitest';
import { type Evaluating, runEvaluation } from './evaluate-expression.ts';

/** An evaluation that offers pauses, each after a number of milliseconds, and counts those that were made. */
class Paused {
  pauses = 0;
  #now = 0;
  readonly clock = {
    now: () => this.#now,
    monotonic: () => this.#now,
    setTimer: () => ({ clear() {} }),
  };
  readonly turns = { requestBegan() {}, atEndOfTurn() {}, pause: async () => void this.pauses++ };

  *evaluation(offers: number, milliseconds: number, waiting?: Promise<void>): Evaluating<string> {
    for (let i = 0; i < offers; i++) {
      yield undefined;
      if (waiting) yield waiting;
      this.#now += milliseconds;
    }
    return 'done';
  }

  /** Time that passes while the evaluation waits. */
  async later(milliseconds: number): Promise<void> {
    await undefined;
    this.#now += milliseconds;
  }
}

describe('an evaluation', () => {
  it('lets others in once it has taken ten milliseconds', async () => {
    const paused = new Paused();
    expect(await runEvaluation(paused.evaluation(100, 1), paused)).toBe('done');
    expect(paused.pauses).toBe(9);
  });

  it('pauses each time if it takes long', async () => {
    const paused = new Paused();
    await runEvaluation(paused.evaluation(5, 20), paused);
    expect(paused.pauses).toBe(4);
  });

  it('does not count what it waits for, but what it took before', async () => {
    const paused = new Paused();
    await runEvaluation(paused.evaluation(100, 1, Promise.resolve()), paused);
    expect(paused.pauses).toBe(9);
    const slow = new Paused();
    await runEvaluation(slow.evaluation(3, 1, slow.later(1_000)), slow);
    expect(slow.pauses).toBe(0);
  });

  it('pauses whenever it can without a clock', async () => {
    const paused = new Paused();
    await runEvaluation(paused.evaluation(100, 1), { turns: paused.turns });
    expect(paused.pauses).toBe(100);
  });
});
