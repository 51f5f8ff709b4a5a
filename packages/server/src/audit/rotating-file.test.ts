import fs, {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAtOnce } from '@ashlar/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RotatingFile, type RotationOptions } from './rotating-file.ts';

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 2, 3, 4, 5, 6);
const folder = mkdtempSync(join(tmpdir(), 'rotating-'));
const path = join(folder, 'below', 'audit.log');
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true, force: true });
});

const namesOf = () => readdirSync(join(folder, 'below')).sort();

/** Writes lines of four bytes, one a second, into files of eight. */
function write(count: number, options: Omit<RotationOptions, 'now'> = {}, step = 1000): void {
  let now = START;
  using file = new RotatingFile(path, { maximumBytes: 8, ...options, now: () => now });
  for (let line = 0; line < count; line++, now += step)
    file.write(new TextEncoder().encode(`${100 + line}\n`));
}

describe('a rotating file', () => {
  it('is put aside before it becomes too large', () => {
    write(5);
    expect(namesOf()).toEqual([
      'audit-2024-01-02T03-04-07.006.log',
      'audit-2024-01-02T03-04-09.006.log',
      'audit.log',
    ]);
    const texts = namesOf().map((name) => readFileSync(join(folder, 'below', name), 'utf8'));
    expect(texts).toEqual(['100\n101\n', '102\n103\n', '104\n']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('goes on with what is there', () => {
    write(1);
    write(1);
    expect(readFileSync(path, 'utf8')).toBe('100\n100\n');
    write(1);
    expect(readFileSync(path, 'utf8')).toBe('100\n');
  });

  it('is refused where no folder can be made', () => {
    expect(() => new RotatingFile('/proc/none/audit.log', { now: () => START })).toThrow('ENOENT');
  });

  it('takes a line that is larger than a file', () => {
    write(2, { maximumBytes: 2 });
    expect(namesOf()).toHaveLength(2);
  });

  it('keeps as many as it should, and nothing else is removed', () => {
    write(1);
    writeFileSync(join(folder, 'below', 'audit-mine.log'), '');
    write(8, { maximumBackups: 1 });
    expect(namesOf()).toEqual(['audit-2024-01-02T03-04-12.006.log', 'audit-mine.log', 'audit.log']);
  });

  it('keeps them as long as it should', () => {
    write(6, { maximumBytes: 4, maximumDays: 2 }, DAY);
    expect(namesOf()).toEqual([
      'audit-2024-01-05T03-04-05.006.log',
      'audit-2024-01-06T03-04-05.006.log',
      'audit-2024-01-07T03-04-05.006.log',
      'audit.log',
    ]);
  });

  it('keeps each of several that are put aside in the same millisecond', () => {
    write(6, { maximumBytes: 4 }, 0);
    expect(namesOf().map((name) => readFileSync(join(folder, 'below', name), 'utf8'))).toEqual(
      Array.from({ length: 6 }, (_, line) => `${100 + line}\n`),
    );
    write(2, { maximumBytes: 4 }, 0);
    expect(namesOf()).toHaveLength(8);
  });

  it.each([0o600, 0o640, 0o666])('keeps the mode %o when it is put aside', (mode) => {
    write(1);
    chmodSync(path, mode);
    write(3, { maximumBytes: 4 });
    expect(statSync(path).mode & 0o777).toBe(mode);
  });
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const open = (options: Partial<RotationOptions> = {}): RotatingFile =>
  new RotatingFile(path, { maximumBytes: 8, now: () => START, ...options });

/** Has a function of the file system fail once. */
function failOnce(name: 'renameSync' | 'openSync' | 'closeSync' | 'ftruncateSync' | 'unlinkSync'): void {
  vi.spyOn(fs, name).mockImplementationOnce(() => {
    throw Object.assign(new Error(`${name} failed`), { code: 'EIO' });
  });
  syncBuiltinESMExports();
}

/** Has what is written next be cut after some bytes. */
function fillDiskAfter(count: number): void {
  const { writeSync } = fs;
  vi.spyOn(fs, 'writeSync')
    .mockImplementationOnce((descriptor, line) =>
      writeSync(descriptor, line as unknown as Uint8Array, 0, count),
    )
    .mockImplementationOnce(() => {
      throw new Error('no space');
    });
  syncBuiltinESMExports();
}

describe('a rotating file recovers', () => {
  it.each(['renameSync', 'openSync'] as const)('when %s fails, and writes into no other file', (name) => {
    using file = open();
    file.write(bytes('1234567\n'));
    failOnce(name);
    expect(() => file.write(bytes('2\n'))).toThrow(`${name} failed`);
    const other = join(folder, 'other');
    const descriptor = fs.openSync(other, 'w');
    file.write(bytes('3\n'));
    fs.closeSync(descriptor);
    expect(readFileSync(other, 'utf8')).toBe('');
    expect(readFileSync(path, 'utf8')).toBe('3\n');
    expect(namesOf()).toHaveLength(2);
  });

  it('when it cannot be closed, and loses no line', () => {
    const errors: unknown[] = [];
    using file = open({ onError: (error) => errors.push(error) });
    file.write(bytes('1234567\n'));
    failOnce('closeSync');
    file.write(bytes('2\n'));
    expect(readFileSync(path, 'utf8')).toBe('2\n');
    expect(errors).toHaveLength(1);
  });

  it('when somebody has moved or removed it', () => {
    using file = open();
    file.write(bytes('1234567\n'));
    renameSync(path, join(folder, 'moved'));
    file.write(bytes('2234567\n'));
    unlinkSync(path);
    file.write(bytes('3\n'));
    expect(namesOf()).toEqual(['audit.log']);
    expect(readFileSync(path, 'utf8')).toBe('3\n');
  });

  it('when a line is cut, of which nothing stays', () => {
    using file = open();
    file.write(bytes('1\n'));
    fillDiskAfter(2);
    expect(() => file.write(bytes('234\n'))).toThrow('no space');
    file.write(bytes('3\n'));
    expect(readFileSync(path, 'utf8')).toBe('1\n3\n');
  });

  it('when a line is cut and stays, which the next one does not continue', () => {
    using file = open();
    failOnce('ftruncateSync');
    fillDiskAfter(2);
    expect(() => file.write(bytes('234\n'))).toThrow('no space');
    file.write(bytes('3\n'));
    expect(readFileSync(path, 'utf8')).toBe('23\n3\n');
  });

  it('when the program ended within a line', () => {
    mkdirSync(join(folder, 'below'), { recursive: true });
    writeFileSync(path, '1');
    using file = open();
    fillDiskAfter(1);
    expect(() => file.write(bytes('234\n'))).toThrow('no space');
    file.write(bytes('2\n'));
    expect(readFileSync(path, 'utf8')).toBe('1\n2\n');
  });

  it('when one that was put aside cannot be removed', () => {
    const errors: unknown[] = [];
    using file = open({ maximumBytes: 1, maximumBackups: 1, onError: (error) => errors.push(error) });
    for (const line of ['1\n', '2\n']) file.write(bytes(line));
    failOnce('unlinkSync');
    file.write(bytes('3\n'));
    expect(readFileSync(path, 'utf8')).toBe('3\n');
    expect([errors.length, namesOf().length]).toEqual([1, 3]);
    file.write(bytes('4\n'));
    expect(namesOf()).toHaveLength(2);
  });

  it('when it is written after it was closed', () => {
    const file = open();
    file[Symbol.dispose]();
    file[Symbol.dispose]();
    file.write(bytes('1\n'));
    file[Symbol.dispose]();
    expect(readFileSync(path, 'utf8')).toBe('1\n');
  });
});

describe('a folder', () => {
  it('is not read if nothing is ever removed', () => {
    const read = vi.spyOn(fs, 'readdirSync');
    syncBuiltinESMExports();
    write(3, { maximumBytes: 1 });
    expect(read).not.toHaveBeenCalled();
  });
});

describe('a long line', () => {
  it('is written in parts', () => {
    using file = open({ maximumBytes: 1024 });
    const steps = file.writeSteps([new Uint8Array(600_000).fill(65), bytes('\n')]);
    let parts = 0;
    while (!steps.next().done) parts++;
    expect([parts, statSync(path).size]).toEqual([4, 600_001]);
    file.write(bytes('1\n'));
    expect(readFileSync(path, 'utf8')).toBe('1\n');
  });

  it('is taken back if the file is closed meanwhile', () => {
    const file = open({ maximumBytes: 1024 });
    file.write(bytes('1\n'));
    const steps = file.writeSteps([bytes('22'), bytes('\n')]);
    steps.next();
    file[Symbol.dispose]();
    expect(() => runAtOnce(steps)).toThrow('the file has been closed');
    expect(readFileSync(path, 'utf8')).toBe('1\n');
  });
});
