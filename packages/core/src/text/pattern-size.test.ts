import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPatternTooLarge, MAXIMUM_PATTERN_SIZE, patternSize, sizeAmongPatterns } from './pattern-size.ts';

describe('patternSize', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['\\d\\.', 2],
    ['a{100}', 100],
    ['ab{2,5}c', 7],
    ['(ab){10}', 40],
    ['((a{10}){10}){10}', 1220],
    ['a{,5}', 5],
    ['a{x', 3],
    [`${'(?:a'.repeat(15)}${')'.repeat(15)}`, 15 * 5],
    [`${'(?:a'.repeat(32)}${')'.repeat(32)}`, 32 * 5 + 16 + 2],
  ])('%s', (source, size) => {
    expect(patternSize(source)).toBe(size);
  });

  it('counts classes that ignore case twice among others, unless the pattern is too large anyway', () => {
    expect(sizeAmongPatterns('^\\p{L}$')).toBe(patternSize('^\\p{L}$'));
    expect(sizeAmongPatterns('(?i)^a$')).toBe(patternSize('(?i)^a$'));
    expect(sizeAmongPatterns('(?i)^\\p{L}$')).toBe(patternSize('(?i)^\\p{L}$') + 500);
    const large = `(?i)${'\\p{L}'.repeat(40)}`;
    expect(sizeAmongPatterns(large)).toBe(patternSize(large));
  });

  it('accepts any text', () => {
    fc.assert(fc.property(fc.string(), (source) => patternSize(source) >= 0));
  });
});

describe('patterns that are too large', () => {
  it.each([
    ['characters', 'a'],
    ['repetitions', 'a?'],
  ])('have more than five thousand %s, which are compiled in one piece', (_, part) => {
    const parts = Math.floor(5_000 / patternSize(part));
    expect(isPatternTooLarge(part.repeat(parts))).toBe(false);
    expect(isPatternTooLarge(part.repeat(parts + 1))).toBe(true);
  });

  it('counts what is repeated by number twice', () => {
    expect(isPatternTooLarge('.{0,100}'.repeat(25))).toBe(false);
    expect(isPatternTooLarge('.{0,100}'.repeat(26))).toBe(true);
    expect(isPatternTooLarge('.{0,1}'.repeat(4_000))).toBe(false);
  });

  it('are not those that the engine refuses for a larger repetition than there may be', () => {
    expect(isPatternTooLarge('a{1,9999}')).toBe(false);
    expect(isPatternTooLarge('(a{900}){1000}')).toBe(true);
  });

  it.each([
    ['long', 'a'.repeat(1_000_000)],
    ['of many groups', '(a)'.repeat(300_000)],
    ['of many repetitions', '[a-z]{1000}'.repeat(100)],
    ['of groups that do not end', '('.repeat(1_000_000)],
    ['of Unicode classes', '\\p{L}'.repeat(40)],
    ['of large ranges without case', `(?i)${'[\u0100-\uffff]'.repeat(2)}`],
    ['of nested groups', `${'(?:a?'.repeat(800)}${')'.repeat(800)}`],
  ])('are rejected before they are compiled: %s', (_, source) => {
    expect(patternSize(source)).toBeGreaterThan(MAXIMUM_PATTERN_SIZE);
    // what follows is not read
    expect(patternSize(source)).toBeLessThan(2 * MAXIMUM_PATTERN_SIZE);
    expect(isPatternTooLarge(source)).toBe(true);
  });
});
