// Fuzzes the engine with expressions of all shapes: npx tsx --conditions=@ashlar/source
// packages/cel/scripts/fuzz.ts [evaluations] [seed]
// Every text must return a value or a positioned error, and every evaluation must end within its budget.
// Failures are printed with the seed that reproduces them.
import fc from 'fast-check';
import { findFault } from '../src/environment/fuzzing.fixture.ts';

const evaluations = Number(process.argv[2] ?? 10_000_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const ROUND = 10_000;

console.log(`seed ${seed}`);
for (let done = 0; done < evaluations; done += ROUND) {
  const round = seed + done / ROUND;
  const result = fc.check(findFault, { numRuns: ROUND, seed: round });
  if (result.failed) {
    console.error(fc.defaultReportMessage(result));
    process.exit(1);
  }
  if ((done / ROUND) % 10 === 0) console.log(`${done + ROUND} of ${evaluations}`);
}
