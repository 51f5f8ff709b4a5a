import { runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';
import { encodeUtf8Steps } from './utf8-steps.ts';

const LONG = 1_200_000;

describe('a long text', () => {
  it.each([
    ['ASCII', 'a'],
    ['two bytes', 'ä'],
    ['three bytes', '\u20ac'],
    ['pairs of surrogates', '\u{1d11e}'],
    ['pairs behind an odd one', 'a\u{1d11e}\u{1d11e}'],
    ['surrogates without a partner', 'a\ud800'],
    ['a mixture', 'abc\u20acdefghijklmnop'],
  ])('of %s has the bytes that it has in one piece', (_, unit) => {
    const text = unit.repeat(LONG / unit.length);
    const bytes = runAtOnce(encodeUtf8Steps(text));
    expect(Buffer.compare(bytes, encodeUtf8(text))).toBe(0);
  });

  it('that begins with ASCII and ends with other characters has them all', () => {
    const text = `${'a'.repeat(LONG)}${'\u20ac'.repeat(LONG)}`;
    expect(decodeUtf8(runAtOnce(encodeUtf8Steps(text)))).toBe(text);
  });

  it('is encoded with pauses', () => {
    expect([...encodeUtf8Steps('a'.repeat(LONG))]).toHaveLength(3);
    expect([...encodeUtf8Steps('a'.repeat(1000))]).toHaveLength(0);
  });
});
