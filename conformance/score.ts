// npm run score: runs the suites of score.json and fails if fewer cases pass than recorded, after
// printing the cases that failed. `--raise` records the current number.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('score.json', import.meta.url));
const runner = fileURLToPath(new URL('run.ts', import.meta.url));
const held = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
const raise = process.argv.includes('--raise');
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
let fallen = 0;

for (const suite of named.length > 0 ? named : Object.keys(held)) {
  const run = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=@ashlar/source', runner, suite, '--show', '20'],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 1 << 28,
    },
  );
  const passed = Number(/^(\d+) passed, \d+ failed$/m.exec(run.stdout)?.[1] ?? 0);
  const want = held[suite] ?? 0;
  console.log(`${suite.padEnd(20)} ${passed} pass, ${want} held${passed < want ? '  FALLEN' : ''}`);
  if (passed < want) {
    fallen++;
    console.log(run.stdout);
  } else held[suite] = passed;
}
if (raise) writeFileSync(file, `${JSON.stringify(held, null, 2)}\n`);
process.exitCode = fallen === 0 ? 0 : 1;
