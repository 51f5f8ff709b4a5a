// npm run score: runs the suites of score.json and fails if fewer cases pass than recorded, after
// printing the cases that failed. `--raise` records the current number.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('score.json', import.meta.url));
const runner = fileURLToPath(new URL('run.ts', import.meta.url));
const held = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
const raise = process.argv.includes('--raise');
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
let fallen = 0;

const suites = named.length > 0 ? named : Object.keys(held);
// each suite runs in one thread; those that take long come first in score.json, so that none is left alone at the end
const waiting = suites.values();
await Promise.all(Array.from({ length: availableParallelism() }, scoreWaiting));
if (raise) writeFileSync(file, `${JSON.stringify(held, null, 2)}\n`);
process.exitCode = fallen === 0 ? 0 : 1;

/** Runs suites until none waits. */
async function scoreWaiting(): Promise<void> {
  for (const suite of waiting) {
    const output = await outputOf(suite);
    const passed = Number(/^(\d+) passed, \d+ failed$/m.exec(output)?.[1] ?? 0);
    const want = held[suite] ?? 0;
    console.log(`${suite.padEnd(20)} ${passed} pass, ${want} held${passed < want ? '  FALLEN' : ''}`);
    if (passed < want) {
      fallen++;
      console.log(output);
    } else held[suite] = passed;
  }
}

/** What the runner prints of a suite, with the cases that failed. */
async function outputOf(suite: string): Promise<string> {
  const options = ['--import', 'tsx', '--conditions=@ashlar/source', runner, suite, '--show', '20'];
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  return await text(child.stdout);
}
