import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { beforeEach, expect, test } from 'vitest';

// the packages as they are published
const root = fileURLToPath(new URL('../..', import.meta.url));
const script = fileURLToPath(new URL('serve-notes.fixture.mjs', import.meta.url));
const isBuilt = existsSync(join(root, 'packages/server/dist/index.js'));
beforeEach((context) => context.skip(!isBuilt, 'the packages are not built'));

/** The program of a runtime: named by a variable, or in the PATH. */
function program(variable: string, name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return (
    process.env[variable] ?? folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
  );
}

const run = (file: string, ...words: readonly string[]): string =>
  execFileSync(file, words, {
    cwd: join(root, 'acceptance'),
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** What the script prints. */
const answers = (served: number) => ({
  created: [201, 201],
  watched: ['a', 'b'],
  served: Array.from({ length: served }, () => 'a,b'),
});

test.for([
  { name: 'Node', file: process.execPath, words: [], served: 1 },
  { name: 'Bun', file: program('BUN', 'bun'), words: [], served: 2 },
  { name: 'Deno', file: program('DENO', 'deno'), words: ['run', '-A'], served: 2 },
])('a server runs on $name', { timeout: 60_000 }, ({ name, file, words, served }, context) => {
  if (!file)
    return context.skip(
      `there is no ${name}: neither ${name.toUpperCase()} names one nor is one in the PATH`,
    );
  expect(JSON.parse(run(file, ...words, script))).toEqual(answers(served));
});

test('a server runs in a worker', { timeout: 60_000 }, async () => {
  const worker = new Worker(script, { stdout: true, execArgv: [], env: {} });
  expect(JSON.parse(await text(worker.stdout))).toEqual(answers(1));
});

test('modules of CommonJS can require every package', { timeout: 60_000 }, () => {
  const packages = readdirSync(join(root, 'packages'));
  const entries = packages.flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as {
      name: string;
      exports: object;
    };
    return Object.keys(manifest.exports)
      .filter((entry) => !entry.endsWith('.json'))
      .map((entry) => manifest.name + entry.slice(1));
  });
  const module = `for (const name of ${JSON.stringify(entries)}) {
    const found = require(require.resolve(name, { paths: [${JSON.stringify(join(root, 'acceptance'))}] }));
    if (Object.keys(found).length === 0) throw new Error(name + ' exports nothing');
  }
  console.log(typeof require('@ashlar/server').createApiServer);`;
  expect(run(process.execPath, '--input-type=commonjs', '-e', module)).toBe('function\n');
  expect(entries).toContain('@ashlar/server/command');
});
