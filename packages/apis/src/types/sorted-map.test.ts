import { compareUtf8 } from '@ashlar/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withEntries, withEntry } from './sorted-map.ts';

it('sets entries and sorts the keys', () => {
  const map = fc.dictionary(fc.string(), fc.string());
  fc.assert(
    fc.property(map, fc.array(fc.tuple(fc.string(), fc.string())), (before, entries) => {
      const after = withEntries(before, entries);
      expect(new Map(Object.entries(after))).toEqual(new Map([...Object.entries(before), ...entries]));
      const names = Object.keys(after).filter((key) => !/^\d+$/.test(key));
      expect(names).toEqual(names.toSorted(compareUtf8));
    }),
  );
});

it('does not change the given map', () => {
  const before = Object.freeze({ b: '1' });
  expect(Object.entries(withEntry(before, 'a', '2'))).toEqual([
    ['a', '2'],
    ['b', '1'],
  ]);
});
