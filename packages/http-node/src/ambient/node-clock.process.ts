import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Runs a module that waits with nothing else to do, and returns what it printed. */
function run(code: string): string {
  const conditions = ['--conditions=@ashlar/source', '--import=tsx', '--input-type=module'];
  const program = `import { sleep, sleepInRequest } from '@ashlar/core';
import { nodeClock } from './packages/http-node/src/ambient/node-ambient.ts';
${code}
console.log('waited');`;
  return spawnSync(process.execPath, [...conditions, '--eval', program], { encoding: 'utf8' }).stdout;
}

test('a process does not end while a request waits, and ends while only a task of its own does', () => {
  expect(run('await sleepInRequest(nodeClock, 20);')).toBe('waited\n');
  expect(run('await sleep(nodeClock, 20);')).toBe('');
});
