import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from './pieces.ts';

describe('the pieces of a text', () => {
  it('are what a split gives', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', ',', 'é') });
    fc.assert(
      fc.property(texts, (text) => {
        expect([...piecesOf(text, ',')]).toEqual(text.split(','));
      }),
    );
  });

  it('are read no further than they are taken', () => {
    const pieces = piecesOf(','.repeat(3_000_000), ',');
    expect(pieces.next()).toEqual({ done: false, value: '' });
  });
});
