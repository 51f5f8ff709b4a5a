import { expect, it } from 'vitest';
import { changedCopyOf, noteChangedCopy } from './changed-copy.ts';

it('tells what a value was copied of, if that was noted', () => {
  const original = { a: 1, b: 2 };
  const copy = { a: 1, b: 3 };
  expect(changedCopyOf(copy)).toBeUndefined();
  const note = { original, changed: new Set(['b']), isReordered: false, isSorted: false };
  noteChangedCopy(copy, note);
  expect(changedCopyOf(copy)).toEqual(note);
  expect(changedCopyOf(copy)?.original).toBe(original);
  expect(changedCopyOf(original)).toBeUndefined();
});
