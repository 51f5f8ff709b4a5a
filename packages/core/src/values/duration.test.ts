import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../errors/parse-error.ts';
import { durationText, fromJsonDuration, parseDuration } from './duration.ts';

describe('parseDuration', () => {
  it.each([
    ['0', 0n, '0s'],
    ['90m', 5_400_000_000_000n, '1h30m0s'],
    ['1.5h', 5_400_000_000_000n, '1h30m0s'],
    ['-1s', -1_000_000_000n, '-1s'],
    ['+1s', 1_000_000_000n, '1s'],
    ['1us', 1_000n, '1µs'],
    ['1μs', 1_000n, '1µs'],
    ['1.5ms', 1_500_000n, '1.5ms'],
    ['.5s', 500_000_000n, '500ms'],
    ['5.s', 5_000_000_000n, '5s'],
    ['1h1m1s1ms1us1ns', 3_661_001_001_001n, '1h1m1.001001001s'],
    ['2562047h47m16.854775807s', 2n ** 63n - 1n, '2562047h47m16.854775807s'],
    ['-2562047h47m16.854775808s', -(2n ** 63n), '-2562047h47m16.854775808s'],
    ['0.9999999999999s', 999_999_999n, '999.999999ms'],
    ['0.99999999999999999999999999s', 1_000_000_000n, '1s'],
  ])('parses %s', (text, nanoseconds, printed) => {
    const duration = parseDuration(text);
    expect(duration).toBe(nanoseconds);
    expect(durationText(duration)).toBe(printed);
  });

  it.each([
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['1', 'time: missing unit in duration "1"'],
    ['1h 1m', 'time: unknown unit "h " in duration "1h 1m"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1toString', 'time: unknown unit "toString" in duration "1toString"'],
    ['s', 'time: invalid duration "s"'],
    ['.s', 'time: invalid duration ".s"'],
    ['--1s', 'time: invalid duration "--1s"'],
    ['2562047h47m16.854775808s', 'time: invalid duration "2562047h47m16.854775808s"'],
    ['99999999999999999999s', 'time: invalid duration "99999999999999999999s"'],
    ['1é', 'time: unknown unit "\\xc3\\xa9" in duration "1\\xc3\\xa9"'],
  ])('rejects %j', (text, message) => {
    expect(() => parseDuration(text)).toThrow(new ParseError(message));
  });

  it('parses what it prints', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
        fc.constantFrom(1n, 10n ** 6n, 10n ** 12n),
        (value, scale) => {
          const duration = value / scale;
          expect(parseDuration(durationText(duration))).toBe(duration);
        },
      ),
    );
  });

  it('throws nothing but ParseError', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'0123456789.+-hmsuµn ', 'é') });
    fc.assert(
      fc.property(noise, (text) => {
        try {
          expect(typeof parseDuration(text)).toBe('bigint');
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
    );
  });
});

describe('the JSON form of a duration', () => {
  it('is a string', () => {
    expect(fromJsonDuration('1s')).toBe(1_000_000_000n);
    expect(() => fromJsonDuration(1)).toThrow(
      new ParseError('json: cannot unmarshal number into Go value of type string'),
    );
    expect(() => fromJsonDuration(null)).toThrow(new ParseError('time: invalid duration ""'));
  });
});
