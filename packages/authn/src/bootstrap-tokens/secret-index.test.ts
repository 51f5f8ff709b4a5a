import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalInConstantTime, SecretIndex } from './secret-index.ts';

describe('SecretIndex', () => {
  it('tells secrets apart that fall on one place', () => {
    // a key of one, twice: the place is a sum, which any order of the characters shares
    const index = new SecretIndex<number>({ bytes: (into) => into.fill(0) });
    index.set('abc', 1);
    index.set('cab', 2);
    index.set('abc', 3);
    expect(['abc', 'cab', 'bca', 'ab', ''].map((guess) => index.get(guess))).toEqual([
      3,
      2,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('equalInConstantTime', () => {
  it('is equality', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u0000'), maxLength: 4 });
    fc.assert(fc.property(text, text, (a, b) => equalInConstantTime(a, b) === (a === b)));
  });
});
