import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSendable, warningHeader } from './warning-header.ts';

describe('warningHeader', () => {
  it('quotes the text', () => {
    expect(warningHeader('a "b" \\')).toBe('299 - "a \\"b\\" \\\\"');
    expect(warningHeader('', 7, 'agent')).toBe('007 agent ""');
  });

  it('rejects what a header cannot contain', () => {
    expect(() => warningHeader('', 1000)).toThrow(new TypeError('code must be between 0 and 999'));
    expect(() => warningHeader('', 299, 'a b')).toThrow(/^agent must be valid UTF-8/);
    expect(() => warningHeader('a\nb')).toThrow(/^text must be valid UTF-8/);
  });

  it('sends one line for every text that can be sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (isSendable(text)) expect(warningHeader(text)).not.toMatch(/[\r\n]/);
        else expect(() => warningHeader(text)).toThrow(TypeError);
      }),
    );
  });
});
