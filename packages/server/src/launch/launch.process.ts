import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// below the repository's libraries, of which it finds the thread of SQLite
const parent = here('../../../../node_modules/.cache');
mkdirSync(parent, { recursive: true });
const root = mkdtempSync(join(parent, 'launch-'));
afterAll(() => rmSync(root, { recursive: true }));
const isCode = (path: string): boolean => !/\.(cache|map|d\.ts)$/.test(path);
for (const part of ['bin', 'dist', 'package.json'])
  cpSync(here(`../../${part}`), join(root, part), { recursive: true, filter: isCode });
const BUNDLE = join(root, 'dist/bundle/ashlar.cjs');

const ashlar = (...words: readonly string[]): string =>
  execFileSync(process.execPath, [join(root, 'bin/ashlar.mjs'), ...words], { encoding: 'utf8' });

/** Prepares the command; returns the file, and whether the process ran what was there before. */
function prepare(): { file: string; before: string } {
  const [, file = '', before = ''] =
    /^(\S+\.cache): \d{6,} bytes, before: (\w+)\n$/.exec(ashlar('prepare')) ?? [];
  return { file, before };
}

describe('the built command', () => {
  it('runs its prepared code in the next process, with the flags that it sets', () => {
    const { file, before } = prepare();
    expect([file.startsWith(BUNDLE), before]).toEqual([true, 'absent']);
    expect(prepare()).toEqual({ file, before: 'accepted' });
    expect(ashlar('--version')).toMatch(/^v1\.32/);
  });

  it('does not run code that is damaged', () => {
    const { file } = prepare();
    const code = readFileSync(file);
    code.fill(0xff, code.length - 4096);
    writeFileSync(file, code);
    expect(ashlar('--version')).toMatch(/^v1\.32/);
    expect(prepare()).toEqual({ file, before: 'rejected' });
  });

  it('does not run the code of another bundle', () => {
    const { file } = prepare();
    appendFileSync(BUNDLE, '\n// changed');
    expect(prepare()).toEqual({ file, before: 'rejected' });
  });
});
