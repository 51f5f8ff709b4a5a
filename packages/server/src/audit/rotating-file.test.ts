import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { RotatingFile, type RotationOptions } from './rotating-file.ts';

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 2, 3, 4, 5, 6);
const folder = mkdtempSync(join(tmpdir(), 'rotating-'));
const path = join(folder, 'below', 'audit.log');
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
});
