import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

it.each([
  ['colums', ['columns', 'scope'], 'columns'],
  ['--prot', ['--port', '--storage'], '--port'],
  ['vocabularry', ['vocabulary'], 'vocabulary'],
  ['Scope', ['spec', 'scope'], 'scope'],
  ['something', ['columns', 'scope'], undefined],
  ['ab', ['cd'], undefined],
  ['x'.repeat(100_000), ['x'.repeat(100_000)], undefined],
])('finds the name that was meant', (given, names, found) => {
  expect(nearestName(given, names)).toBe(found);
});
