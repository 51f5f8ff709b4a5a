import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText } from './value-text.ts';

/** One escape after another, as they stand in the text. */
const expected = (text: string): string =>
  JSON.stringify(text).replace(/[<>&\u2028\u2029]|\\./g, (found) => {
    if (found.startsWith('\\')) return { '\\b': '\\u0008', '\\f': '\\u000c' }[found] ?? found;
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

describe('the JSON of a text', () => {
  it('escapes each character in one way', () => {
    const texts = fc.string({
      unit: fc.constantFrom(
        'a',
        'b',
        'f',
        '\\',
        '"',
        '\b',
        '\f',
        '\n',
        '<',
        '&',
        '\u2028',
        '\ud800',
        '\u0001',
      ),
    });
    fc.assert(
      fc.property(texts, (text) => {
        expect(jsonText(text)).toBe(expected(text));
      }),
      { numRuns: 2000 },
    );
  });
});
