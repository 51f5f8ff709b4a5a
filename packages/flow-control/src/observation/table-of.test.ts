import { expect, it } from 'vitest';
import { tableOf } from './table-of.ts';

it('aligns columns, the last one excepted', () => {
  const text = tableOf(
    ['Name', 'Number', 'Text'],
    [
      ['a-long-name', 1, 'x'],
      ['b', 22, ''],
    ],
  );
  expect(text).toBe('Name,        Number, Text\na-long-name, 1,      x\nb,           22,     \n');
});

it('has any number of rows', () => {
  const rows = Array.from({ length: 150_000 }, () => ['a', 'b']);
  expect(tableOf(['A', 'B'], rows)).toHaveLength(150_001 * 'A,      B\n'.length);
});
