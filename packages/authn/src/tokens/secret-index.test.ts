import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalInConstantTime, SecretIndex } from './secret-index.ts';

describe('SecretIndex', () => {
  it('distinguishes secrets of the same bucket', () => {
    // a key of one, twice: the bucket is a sum, which any order of the characters shares
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

describe('guesses longer than any secret', () => {
  it('are not looked up', () => {
    const index = new SecretIndex<number>({ bytes: (into) => into.fill(1) });
    const secret = 's'.repeat(5000);
    index.set(secret, 1);
    expect(index.get(secret)).toBe(1);
    const guess = new String(`${secret}s`);
    let looks = 0;
    guess.charCodeAt = () => looks++;
    expect(index.get(guess as string)).toBeUndefined();
    expect(looks).toBe(0);
  });
});

describe('equalInConstantTime', () => {
  it('compares strings', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u0000'), maxLength: 4 });
    fc.assert(fc.property(text, text, (a, b) => equalInConstantTime(a, b) === (a === b)));
  });
});
