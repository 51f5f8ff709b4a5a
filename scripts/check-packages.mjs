// Checks each package as its users get it: publint for the manifest, attw for the types.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

let faults = 0;
const folder = mkdtempSync(join(tmpdir(), 'packages-'));
for (const name of readdirSync('packages')) {
  const root = join('packages', name);
  const { messages, pkg } = await publint({ pkgDir: root, level: 'warning', strict: true });
  for (const message of messages) console.error(`${name}: ${formatMessage(message, pkg)}`);
  faults += messages.length;
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  try {
    execFileSync('node_modules/.bin/attw', [join(folder, filename), '--profile', 'esm-only', '--quiet'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch (error) {
    console.error(`${name}: the types do not resolve\n${error.stdout}`);
    faults++;
  }
}
rmSync(folder, { recursive: true });
process.exitCode = faults === 0 ? 0 : 1;
