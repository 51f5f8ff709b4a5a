import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goNumber, goQuote, goStringList, isPrintable, sortedSet } from './go-text.ts';

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
    ["it's", '"it\'s"'],
  ])('%j', (text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
  });

  it('is one line of printable characters', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => [...goQuote(text)].every(isPrintable)));
  });
});

describe('other texts', () => {
  it('dumps lists', () => {
    expect(goStringList(undefined)).toBe('[]string(nil)');
    expect(goStringList([])).toBe('[]string{}');
    expect(goStringList(['a', 'b"'])).toBe('[]string{"a", "b\\""}');
  });

  it.each([
    [0, '0'],
    [123456, '123456'],
    [1e20, '100000000000000000000'],
    [1e21, '1e+21'],
    [1.5e-7, '1.5e-07'],
    [0.0001, '0.0001'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [Number.POSITIVE_INFINITY, '+Inf'],
  ])('prints the number %s as %s', (value, text) => {
    expect(goNumber(value)).toBe(text);
  });

  it('sorts sets by bytes', () => {
    expect(sortedSet(['b', 'a', 'b', '\u{10000}', '\uffff'])).toEqual(['a', 'b', '\uffff', '\u{10000}']);
  });
});
