import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const hasGo = spawnSync('go', ['version']).status === 0;

/** Runs the suite of an operator on the built server; resolves to what was printed. */
function runSuite(name: string): Promise<{ readonly failed: boolean; readonly output: string }> {
  const args = ['conformance/operators.ts', '--only', `^${name}$`];
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(join(root, 'node_modules/.bin/tsx'), args, options, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });
}

// building the programs takes minutes where nothing is cached
it.skipIf(!hasGo).each(['jobset', 'lws'])(
  'the webhooks of %s, built with controller-runtime, mutate and validate through a server over TLS',
  async (name) => {
    const { failed, output } = await runSuite(name);
    expect(output).toMatch(/SUCCESS! -- [1-9]\d* Passed \| 0 Failed/);
    expect(failed).toBe(false);
  },
  1_800_000,
);
