import fc from 'fast-check';
import { expect, it } from 'vitest';
import { base64ToBytes, base64ToText, textToBase64 } from './base64.ts';

it('base64 holds every text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 50 }),
      (text) => base64ToText(textToBase64(text)) === text,
    ),
  );
});

it('base64 holds texts beyond what one call takes', () => {
  const text = 'ü'.repeat(200_000);
  expect(base64ToBytes(textToBase64(text))).toHaveLength(400_000);
  expect(base64ToText(textToBase64(text))).toBe(text);
});
