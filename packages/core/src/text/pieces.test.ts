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
    let looks = 0;
    class Counted extends String {
      override indexOf(text: string, start?: number): number {
        looks++;
        return super.indexOf(text, start);
      }
    }
    const pieces = piecesOf(new Counted('a,b,c,d') as unknown as string, ',');
    expect([pieces.next().value, pieces.next().value, looks]).toEqual(['a', 'b', 2]);
  });
});
