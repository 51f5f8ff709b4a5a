import fc from 'fast-check';
import { it } from 'vitest';
import { findFault } from './fuzzing.fixture.ts';

// bench/cel/fuzz.ts runs ten million evaluations, over generated data and by every way of running.
it('evaluates every text to a value within the budget, or to an error with a message and position', {
  timeout: 120_000,
}, () => {
  fc.assert(findFault, { numRuns: 20_000 });
});
