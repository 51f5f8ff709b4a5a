import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteString, byteStringText } from './utf8.ts';

describe('header values', () => {
  it('have one character per byte', () => {
    expect(byteString('zo\u00eb \u20ac')).toBe('zo\u00c3\u00ab \u00e2\u0082\u00ac');
  });

  it('round-trip', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const value = byteString(text);
        expect(value).not.toMatch(/[^\0-\u00ff]/);
        expect(byteStringText(value)).toBe(text);
      }),
    );
  });

  it('are unchanged if a host has decoded them', () => {
    expect(byteStringText('\u20ac\u00eb')).toBe('\u20ac\u00eb');
  });

  it('round-trip where they are no text, which differs from every text', () => {
    expect(byteStringText('a\u00ffb')).toBe('a\udcffb');
    const bytes = fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    });
    fc.assert(fc.property(bytes, (value) => byteString(byteStringText(value)) === value));
  });
});
