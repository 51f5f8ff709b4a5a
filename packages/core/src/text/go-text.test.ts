import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goQuote, goStringList, isPrintable, sortedSet } from './go-text.ts';

describe('goQuote', () => {
  it.each([
    ['', '""'],
    ['plain ü 😀', '"plain ü 😀"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['\n\r\t\u0007\b\f\v', '"\\n\\r\\t\\a\\b\\f\\v"'],
    ['\u0000\u001b\u007f', '"\\x00\\x1b\\x7f"'],
    ['\u0080\u00a0\u00ad\u200b\ufeff', '"\\u0080\\u00a0\\u00ad\\u200b\\ufeff"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['\ud800', '"\ufffd"'],
    ['syst\udce8me', '"syst\\xe8me"'],
    ["it's", '"it\'s"'],
  ])('%j', (text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
  });

  it('prints each character of a long text as in a short one', () => {
    const inner = (text: string): string => goQuote(text).slice(1, -1);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(goQuote(`${text}${'a'.repeat(5000)}`)).toBe(`"${inner(text)}${'a'.repeat(5000)}"`);
      }),
    );
  });

  it('is one line of printable characters', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => [...goQuote(text)].every(isPrintable)));
  });
});

describe('other formats', () => {
  it('prints lists', () => {
    expect(goStringList(undefined)).toBe('[]string(nil)');
    expect(goStringList([])).toBe('[]string{}');
    expect(goStringList(['a', 'b"'])).toBe('[]string{"a", "b\\""}');
  });

  it('sorts sets by bytes', () => {
    expect(sortedSet(['b', 'a', 'b', '\u{10000}', '\uffff'])).toEqual(['a', 'b', '\uffff', '\u{10000}']);
  });
});
