import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampedInt64, integerErrorText, isInt64, parseInt64 } from './integer-text.ts';

describe('parseInt64', () => {
  it('parses every integer of 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (value) => parseInt64(String(value)) === value),
    );
  });

  it('parses signs and leading zeros', () => {
    expect(parseInt64('+007')).toBe(7n);
    expect(parseInt64('-0')).toBe(0n);
    expect(parseInt64(`${'0'.repeat(1000)}1`)).toBe(1n);
  });

  it.each([
    '',
    '+',
    '1.0',
    '1e3',
    ' 1',
    '1_0',
    '0x1',
    '٣',
    '9223372036854775808',
    '-9223372036854775809',
    '9'.repeat(1e6),
  ])('rejects %.20s', (text) => {
    expect(parseInt64(text)).toBeUndefined();
  });

  it('distinguishes strings that are not integers from integers that are too large', () => {
    expect(integerErrorText('Atoi', 'x')).toBe('strconv.Atoi: parsing "x": invalid syntax');
    expect(integerErrorText('ParseInt', '9223372036854775808')).toBe(
      'strconv.ParseInt: parsing "9223372036854775808": value out of range',
    );
  });
});

describe('clampedInt64', () => {
  it('clamps to the bounds', () => {
    expect(clampedInt64('9'.repeat(30))).toBe(2n ** 63n - 1n);
    expect(clampedInt64(`-${'9'.repeat(30)}`)).toBe(-(2n ** 63n));
    expect(clampedInt64('9223372036854775808')).toBe(2n ** 63n - 1n);
    expect(clampedInt64('-9223372036854775809')).toBe(-(2n ** 63n));
    expect(clampedInt64('12')).toBe(12n);
    expect(clampedInt64('x')).toBeUndefined();
  });

  it('returns what isInt64 accepts', () => {
    expect(isInt64(2n ** 63n)).toBe(false);
    expect(isInt64(-(2n ** 63n))).toBe(true);
  });
});
