import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goFloat, goNumber } from './go-number.ts';

describe('goNumber', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [123456, '123456'],
    [1234567, '1234567'],
    [1234567.5, '1.2345675e+06'],
    [123456.5, '123456.5'],
    [-7000000.25, '-7.00000025e+06'],
    [1e18, '1000000000000000000'],
    [1e19, '1e+19'],
    [9223372036854775807n, '9223372036854775807'],
    [12345678901234567890n, '1.2345678901234567e+19'],
    [1e21, '1e+21'],
    [1.5e-7, '1.5e-07'],
    [0.0001, '0.0001'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [Number.POSITIVE_INFINITY, '+Inf'],
  ])('prints %s as %s', (value, text) => {
    expect(goNumber(value)).toBe(text);
  });

  it('round-trips', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(goNumber(value))).toBe(value + 0);
        expect(Number(goFloat(value))).toBe(value);
      }),
    );
  });
});

describe('goFloat', () => {
  it.each([
    [1e6, '1e+06'],
    [999999, '999999'],
    [1.048576e6, '1.048576e+06'],
    [-0, '-0'],
    [0.00001234, '1.234e-05'],
    [1.5e300, '1.5e+300'],
  ])('prints %s as %s', (value, text) => {
    expect(goFloat(value)).toBe(text);
  });

  it('prints floats of 32 bits with as few digits as they need', () => {
    expect(goFloat(0.1, true)).toBe('0.1');
    expect(goFloat(Math.fround(0.1))).toBe('0.10000000149011612');
    expect(goFloat(16777217, true)).toBe('1.6777216e+07');
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Math.fround(Number(goFloat(value, true)))).toBe(value);
      }),
    );
  });
});
