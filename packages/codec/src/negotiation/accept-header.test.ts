import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAccept } from './accept-header.ts';

const SIZE = 900_000;

describe('parseAccept', () => {
  it.each([
    ['blanks inside a type', `a${' '.repeat(SIZE)}b/c`],
    ['blanks before a subtype', `a/${' '.repeat(SIZE)}b`],
    ['blanks in the name of a parameter', `a/b;${' '.repeat(SIZE)}x${' '.repeat(SIZE)}y=1`],
    ['blanks in a value', `a/b;x=${' '.repeat(SIZE)}1`],
    ['digits of a quality', `a/b;q=${'0'.repeat(SIZE)}!`],
    ['a fraction of a quality', `a/b;q=0.${'0'.repeat(SIZE)}!`],
    ['an exponent of a quality', `a/b;q=1e${'9'.repeat(SIZE)}!`],
    ['slashes', '/'.repeat(SIZE)],
    ['parameters', `a/b${';x=1'.repeat(SIZE / 4)}`],
    ['clauses', 'a/b,'.repeat(SIZE / 4)],
    ['qualities', '*/*;q=0.1,a/b;q=0.2,'.repeat(SIZE / 20)],
  ])('parses a header once: %s', (_name, header) => {
    expect(parseAccept(header).length).toBeLessThanOrEqual(SIZE / 4);
  });

  it('parses qualities', () => {
    const qualities = ['1.', '.5', '+0.25', '1e-2', 'x', '1.2.3', 'inf', '-Infinity'];
    expect(qualities.map((text) => parseAccept(`a/b;q=${text}`)[0]?.quality)).toEqual([
      1,
      0.5,
      0.25,
      Math.fround(0.01),
      0,
      0,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ]);
  });

  it('never fails', () => {
    const noise = fc.string({
      unit: fc.constantFrom('a', '*', '/', ';', ',', '=', 'q', ' ', '0', '.', 'e', '"'),
    });
    fc.assert(fc.property(noise, (header) => Array.isArray(parseAccept(header))));
  });
});
