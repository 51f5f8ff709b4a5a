import { describe, expect, it } from 'vitest';
import { sortedSet } from './secured-pod.ts';

describe('sortedSet', () => {
  it('has different texts in their order', () => {
    expect(sortedSet(['b', 'a', 'b'])).toEqual(['a', 'b']);
  });

  it('has the first ten thousand of very many', () => {
    const texts = Array.from({ length: 50_000 }, (_, i) => `${99_999 - i}`);
    const found = sortedSet(texts);
    expect([found.length, found[0], found.at(-1)]).toEqual([10_000, '90000', '99999']);
  });
});
