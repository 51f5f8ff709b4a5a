import { describe, expect, it } from 'vitest';
import { SharedSteps } from './shared-steps.ts';
import { runAtOnce, type Steps } from './steps.ts';

describe('SharedSteps', () => {
  it('does the work once for all who need it, each of whom goes on with it', () => {
    let done = 0;
    const shared = new SharedSteps(function* (): Steps<string> {
      for (; done < 10; done++) yield;
      return 'result';
    });
    const callers = [shared.steps(), shared.steps(), shared.steps()];
    for (const caller of callers) caller.next();
    expect(done).toBe(2);
    expect(callers.map(runAtOnce)).toEqual(['result', 'result', 'result']);
    expect([done, [...shared.steps()]]).toEqual([10, []]);
  });

  it('begins again after an error, which only those get who meet it', () => {
    let attempts = 0;
    const shared = new SharedSteps(function* (): Steps<number> {
      attempts++;
      yield;
      if (attempts === 1) throw new Error('once');
      return attempts;
    });
    const [first, second] = [shared.steps(), shared.steps()];
    first.next();
    expect(() => second.next()).toThrow('once');
    expect([runAtOnce(first), runAtOnce(shared.steps()), attempts]).toEqual([2, 2, 2]);
  });
});
