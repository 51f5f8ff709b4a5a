import { describe, expect, it } from 'vitest';
import { commonIndex, countIndexes } from './index-list.ts';

describe('a list of indexes', () => {
  it.each([
    ['', 0],
    ['0', 1],
    ['+1,3-5,7-+9', 7],
  ])('%j is counted', (text, count) => {
    expect(countIndexes(text, 10)).toBe(count);
  });

  it.each([
    ['1,', 'cannot convert string to integer for index: ""'],
    ['1-', 'cannot convert string to integer for index: ""'],
    ['-1', 'cannot convert string to integer for index: ""'],
    ['1 ', 'cannot convert string to integer for index: "1 "'],
    ['1234567890123456789', 'cannot convert string to integer for index: "1234567890123456789"'],
    ['10', 'too large index: "10"'],
    ['1-10', 'too large index: "10"'],
    ['3-3', 'non-increasing order, previous: 3, current: 3'],
    ['3-2', 'non-increasing order, previous: 3, current: 2'],
    ['2,1', 'non-increasing order, previous: 2, current: 1'],
    [
      '1-2-3',
      `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
    ],
  ])('%j is refused', (text, why) => {
    expect(() => countIndexes(text, 10)).toThrow(why);
  });

  it('has indexes in common with another, whatever is malformed in either', () => {
    expect(commonIndex('1,x,5-7', '2,-,6', 10)).toBe(6);
    expect(commonIndex('1,3', '2,4,', 10)).toBeUndefined();
    expect(commonIndex(','.repeat(3_000_000), ','.repeat(3_000_000), 10)).toBeUndefined();
  });
});
