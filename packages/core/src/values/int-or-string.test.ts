import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../errors/parse-error.ts';
import type { JsonValue } from '../json/json.ts';
import { fromJsonIntOrString, integerOf, scaledInteger } from './int-or-string.ts';

describe('fromJsonIntOrString', () => {
  it('parses strings, integers of 32 bits and null', () => {
    expect(fromJsonIntOrString('10%')).toBe('10%');
    expect(fromJsonIntOrString(-2147483648)).toBe(-2147483648);
    expect(fromJsonIntOrString(null)).toBe(0);
  });

  it.each([
    [1.5, undefined, 'number 1.5'],
    [2147483648, undefined, 'number 2147483648'],
    [12345678901234567890n, undefined, 'number 12345678901234567890'],
    [100, '1e2', 'number 1e2'],
    [30, '30.0', 'number 30.0'],
    [true, undefined, 'bool'],
    [[], undefined, 'array'],
  ])('rejects %s', (value, spelled, what) => {
    expect(() => fromJsonIntOrString(value as JsonValue, spelled)).toThrow(
      new ParseError(`json: cannot unmarshal ${what} into Go value of type int32`),
    );
  });
});

describe('integerOf', () => {
  it('parses integers spelled as strings, within 64 bits', () => {
    expect([7, '8', '-9', '10%', '', '1.5'].map(integerOf)).toEqual([7, 8, -9, 0, 0, 0]);
    expect(integerOf('99999999999999999999')).toBe(Number(2n ** 63n));
  });
});

describe('scaledInteger', () => {
  it('returns integers as they are and percentages of the total', () => {
    expect(scaledInteger(7, 15, 'up')).toBe(7);
    expect(scaledInteger('10%', 15, 'up')).toBe(2);
    expect(scaledInteger('10%', 15, 'down')).toBe(1);
    expect(Object.is(scaledInteger('-5%', 15, 'up'), 0)).toBe(true);
    expect(scaledInteger('-5%', 15, 'down')).toBe(-1);
  });

  it.each([
    ['7', 'invalid value for IntOrString: invalid type: string is not a percentage'],
    [
      '1.5%',
      'invalid value for IntOrString: invalid value "1.5%": strconv.Atoi: parsing "1.5": invalid syntax',
    ],
    [
      '99999999999999999999%',
      'invalid value for IntOrString: invalid value "99999999999999999999%": strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
  ])('rejects %j', (text, message) => {
    expect(() => scaledInteger(text, 15, 'up')).toThrow(new ParseError(message));
  });

  it('rounds up to no less than down', () => {
    fc.assert(
      fc.property(fc.integer({ min: -500, max: 500 }), fc.nat({ max: 10_000 }), (percent, total) => {
        const up = scaledInteger(`${percent}%`, total, 'up');
        const down = scaledInteger(`${percent}%`, total, 'down');
        expect([0, 1]).toContain(up - down);
      }),
    );
  });
});
