import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Random } from '../contracts/ambient.ts';
import { utf8Length } from '../text/utf8.ts';
import { generateName, randomSuffix } from './generate-name.ts';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** Yields 0, 1, 2, … 255, 0, … */
function counting(): Random {
  let next = 0;
  return {
    bytes: (into) => {
      for (let i = 0; i < into.length; i++) into[i] = next++;
      return into;
    },
  };
}

describe('generateName', () => {
  it('appends five characters of the alphabet', () => {
    expect(generateName('job-', counting())).toBe('job-bcdfg');
  });

  it('truncates the base to 58 bytes', () => {
    expect(generateName('a'.repeat(70), counting())).toBe(`${'a'.repeat(58)}bcdfg`);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (base) => {
        expect(utf8Length(generateName(base, counting()))).toBeLessThanOrEqual(63);
      }),
    );
  });

  it('makes every character equally likely', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 243; byte++) {
      const character = randomSuffix({ bytes: (into) => into.fill(byte) }, 1);
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect([...counts.keys()].join('')).toBe(ALPHABET);
    expect(new Set(counts.values())).toEqual(new Set([9]));
  });

  it('skips bytes that would make some characters more likely', () => {
    const random: Random = {
      bytes: (into) => {
        into.set([255, 243, 242]);
        return into;
      },
    };
    expect(randomSuffix(random, 2)).toBe('9b');
  });

  it('does not hang on a source that returns nothing usable', () => {
    expect(() => generateName('a', { bytes: (into) => into.fill(255) })).toThrow(TypeError);
  });
});
