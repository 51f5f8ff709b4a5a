import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type LoadedProgram, loadProgram } from './load-program.ts';

const root = mkdtempSync(join(tmpdir(), 'launch-'));
afterAll(() => rmSync(root, { recursive: true }));

interface Program {
  answer(): number;
  readonly folder: string;
}

const bundle = (answer: number): string => `(function (exports, require, module, __filename, __dirname) {
const { basename } = require('node:path');
module.exports = { answer() { return ${answer}; }, folder: basename(__dirname) };
})`;

function newBundle(answer = 42): string {
  const path = join(mkdtempSync(join(root, 'folder-')), 'program.cjs');
  writeFileSync(path, bundle(answer));
  return path;
}

/** Runs a program, so that its function is compiled, and saves that. */
function runAndSave(path: string): string {
  const { exports, codeCache } = loadProgram<Program>(path);
  exports.answer();
  codeCache?.save();
  return codeCache?.file ?? '';
}

const outcome = ({ exports, codeCache }: LoadedProgram<Program>) => [exports.answer(), codeCache?.state];

describe('loadProgram', () => {
  it('runs the code that an earlier process saved', () => {
    const path = newBundle();
    const { exports, codeCache } = loadProgram<Program>(path);
    expect([exports.answer(), exports.folder, codeCache?.state]).toEqual([
      42,
      basename(join(path, '..')),
      'absent',
    ]);
    expect(codeCache?.save()).toBeGreaterThan(100);
    expect(outcome(loadProgram(path))).toEqual([42, 'accepted']);
    expect(readdirSync(join(path, '..')).length).toBe(2);
  });

  it('rejects code that is damaged, cut off or empty, and replaces it', () => {
    const path = newBundle();
    const file = runAndSave(path);
    const right = readFileSync(file);
    const broken = Buffer.from(right);
    const middle = right.length >> 1;
    broken[middle] = (broken[middle] as number) ^ 1;
    for (const damage of [
      () => writeFileSync(file, broken),
      () => truncateSync(file, right.length - 1),
      () => truncateSync(file, 0),
    ]) {
      damage();
      expect(outcome(loadProgram(path))).toEqual([42, 'rejected']);
      expect([runAndSave(path), outcome(loadProgram(path))]).toEqual([file, [42, 'accepted']]);
    }
  });

  it('rejects the code of another bundle of the same length', () => {
    const path = newBundle(42);
    runAndSave(path);
    writeFileSync(path, bundle(43));
    expect(outcome(loadProgram(path))).toEqual([43, 'rejected']);
  });

  it.skipIf(process.platform === 'win32')('runs no code that everybody could have written', () => {
    const path = newBundle();
    const file = runAndSave(path);
    chmodSync(file, 0o666);
    expect(outcome(loadProgram(path))).toEqual([42, 'rejected']);
    chmodSync(file, 0o644);
    chmodSync(join(path, '..'), 0o777);
    expect(outcome(loadProgram(path))).toEqual([42, undefined]);
  });

  it.skipIf(process.getuid?.() === 0)('keeps nothing in a folder that is read-only', () => {
    const path = newBundle();
    chmodSync(join(path, '..'), 0o555);
    expect(outcome(loadProgram(path))).toEqual([42, undefined]);
    chmodSync(join(path, '..'), 0o755);
  });

  it('leaves no file behind that could not be written', () => {
    const path = newBundle();
    const { codeCache } = loadProgram<Program>(path);
    rmSync(join(path, '..'), { recursive: true });
    expect(() => codeCache?.save()).toThrow('ENOENT');
  });
});
