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

/** Prepares the command and returns the file; fails if its code was accepted by the process. */
function prepared(): string {
  const [, file] = /^(\S+\.cache): \d{6,} bytes\n$/.exec(ashlar('prepare')) ?? [];
  if (file === undefined) throw new Error('nothing was prepared');
  return file;
}

describe('the built command', () => {
  it('runs its prepared code in the next process, with the flags that it sets', () => {
    const file = prepared();
    expect(ashlar('prepare')).toBe(`the code is prepared already: ${file}\n`);
    expect(ashlar('--version')).toMatch(/^v1\.32/);
  });

  it('does not run code that is damaged', () => {
    ashlar('prepare');
    const file = /\S+$/.exec(ashlar('prepare').trim())?.[0] ?? '';
    const code = readFileSync(file);
    code.fill(0xff, code.length - 4096);
    writeFileSync(file, code);
    expect(ashlar('--version')).toMatch(/^v1\.32/);
    expect(prepared()).toBe(file);
  });

  it('does not run the code of another bundle', () => {
    ashlar('prepare');
    appendFileSync(BUNDLE, '\n// changed');
    prepared();
  });
});
