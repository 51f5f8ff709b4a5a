import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, root)), 'utf8');

const rows = read('docs/threat-model.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| attack') && !line.startsWith('| ---'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, attack = '', , test = '']) => ({ attack, test }));

describe('the threat model', () => {
  it('has lines', () => {
    expect(rows.length).toBeGreaterThan(20);
  });

  it.each(rows)('has a test of: $attack', ({ test }) => {
    const [, file = '', words = ''] = /^`([^`]+)` "(.+)"$/.exec(test) ?? [];
    expect(read(file)).toContain(words);
  });
});
