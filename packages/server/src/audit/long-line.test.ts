import { runAtOnce } from '@ashlar/core';
import { expect, it } from 'vitest';
import { partsOf, printSteps } from './long-line.ts';

it('a long line is printed in parts, whatever they divide', () => {
  const line = `${'é'.repeat(300_001)}\n`;
  const bytes = new TextEncoder().encode(line);
  const pieces = [bytes.subarray(0, 1), bytes.subarray(1)];
  expect([...partsOf(pieces)].map(({ length }) => length)).toEqual([1, 262_144, 262_144, 75_714]);
  let printed = '';
  runAtOnce(
    printSteps(pieces, (text) => {
      printed += text;
    }),
  );
  expect(printed === line).toBe(true);
});
