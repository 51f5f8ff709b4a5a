import fc from 'fast-check';
import { it } from 'vitest';
import { findFault } from './fuzzing.fixture.ts';

// The script beside this package does the same ten million times.
it('takes every text: a value within the budget, or an error that says what and where', {
  timeout: 120_000,
}, () => {
  fc.assert(findFault, { numRuns: 20_000 });
});
