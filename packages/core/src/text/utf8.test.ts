import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareUtf8, utf8Length, utf8Prefix } from './utf8.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const anyText = fc.string({ unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
const wellFormed = fc.string({ unit: 'binary' });

describe('UTF-8', () => {
  it('counts the bytes that an encoder writes', () => {
    fc.assert(fc.property(anyText, (text) => utf8Length(text) === bytes(text).length));
  });

  it('sorts as bytes sort', () => {
    fc.assert(
      fc.property(wellFormed, wellFormed, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Math.sign(Buffer.compare(bytes(a), bytes(b))));
      }),
    );
  });

  it('truncates between characters', () => {
    expect(utf8Prefix('aü😀', 2)).toBe('a');
    expect(utf8Prefix('aü😀', 6)).toBe('aü');
    expect(utf8Prefix('aü😀', 7)).toBe('aü😀');
    fc.assert(
      fc.property(wellFormed, fc.nat({ max: 20 }), (text, limit) => {
        const prefix = utf8Prefix(text, limit);
        expect(text.startsWith(prefix)).toBe(true);
        expect(utf8Length(prefix)).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
