import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../errors/parse-error.ts';
import { parseQuantity, quantityOf } from './quantity.ts';

const digits = fc.stringMatching(/^[0-9]{0,24}$/);
const suffix = fc.constantFrom(
  ...['', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'],
  ...['e3', 'E-7', 'e30', 'e-30', 'e999999999', 'e-999999999'],
);
const quantityText = fc
  .tuple(fc.constantFrom('', '-', '+'), digits, fc.option(digits, { nil: undefined }), suffix)
  .map(
    ([sign, whole, fraction, unit]) =>
      `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${unit}`,
  )
  .filter(isReadable);
const modest = fc
  .tuple(fc.integer(), fc.constantFrom('n', 'u', 'm', '', 'k', 'G', 'Ki', 'Gi', 'e6', 'e-6'))
  .map(([value, unit]) => parseQuantity(`${value}${unit}`));

describe('parseQuantity', () => {
  it.each([
    ['0', '0', 'DecimalSI'],
    ['1.5', '1500m', 'DecimalSI'],
    ['.5', '500m', 'DecimalSI'],
    ['5.', '5.', 'DecimalSI'],
    ['1000', '1k', 'DecimalSI'],
    ['1000m', '1', 'DecimalSI'],
    ['1e3', '1e3', 'DecimalExponent'],
    ['10e3', '10e3', 'DecimalExponent'],
    ['1e4', '10e3', 'DecimalExponent'],
    ['1.5Gi', '1536Mi', 'BinarySI'],
    ['1024Ki', '1Mi', 'BinarySI'],
    ['1.1Ki', '1126400m', 'BinarySI'],
    ['512.5Ki', '524800', 'BinarySI'],
    ['1Ei', '1Ei', 'BinarySI'],
    ['9223372036854775807Ki', '9223372036854775807', 'BinarySI'],
    ['0.0000000001', '1n', 'DecimalSI'],
    ['-0.0000000001', '-1n', 'DecimalSI'],
    ['0.1Ki', '102400m', 'BinarySI'],
    ['0.0001Ki', '102400u', 'DecimalSI'],
    ['12345678901234567890', '12345678901234567890', 'DecimalSI'],
    ['4000E', '4000E', 'DecimalSI'],
    ['+', '0', 'DecimalSI'],
    ['m', '0', 'DecimalSI'],
  ])('parses %s as %s', (text, printed, format) => {
    const quantity = parseQuantity(text);
    expect(String(quantity)).toBe(printed);
    expect(quantity.format).toBe(format);
    expect(JSON.stringify({ quantity })).toBe(`{"quantity":"${printed}"}`);
  });

  it.each(['', ' ', 'a', '1 Ki', '1,5', '0x10', '1e3.5', '1KI', '1..5', '∞'])(
    'rejects the form of %j',
    (text) => {
      expect(() => parseQuantity(text)).toThrow(
        new ParseError(
          "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        ),
      );
    },
  );

  it.each(['1K', '1e', '1ki', '1ii', '+-1', '--1', '1G0', '1e99999999999'])(
    'rejects the suffix of %j',
    (text) => {
      expect(() => parseQuantity(text)).toThrow(new ParseError("unable to parse quantity's suffix"));
    },
  );

  it.each(['Ei', '.Pi', '-e-12', '1'.repeat(10_001)])('rejects the number of %.10j', (text) => {
    expect(() => parseQuantity(text)).toThrow(new ParseError('unable to parse numeric part of quantity'));
  });

  it('parses what it prints, as the same number', () => {
    fc.assert(
      fc.property(quantityText, (text) => {
        const quantity = parseQuantity(text);
        const again = parseQuantity(String(quantity));
        // without a suffix it is decimal: see below
        if (again.format === quantity.format) expect(String(again)).toBe(String(quantity));
        expect(again.compare(quantity)).toBe(0);
        expect(again.sign).toBe(quantity.sign);
      }),
      { numRuns: 1000 },
    );
  });

  it('prints a binary one without a suffix where none fits, which is read as a decimal one', () => {
    expect(String(parseQuantity('312.5Ki'))).toBe('320000');
    expect(String(parseQuantity('320000'))).toBe('320k');
  });

  it('throws nothing but ParseError', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'0123456789.+-eEinumkKMGTP a') });
    fc.assert(
      fc.property(noise, (text) => [true, false].includes(isReadable(text))),
      { numRuns: 1000 },
    );
  });

  it('does no work in proportion to an exponent', () => {
    const huge = parseQuantity('1e999999999');
    const large = parseQuantity('12345678901234567890e999999999');
    const tiny = parseQuantity('1e-999999999');
    expect(String(huge)).toBe('1e999999999');
    expect(String(large)).toBe('12345678901234567890e999999999');
    expect(String(tiny)).toBe('1e-9');
    expect(huge.compare(large)).toBe(-1);
    expect(huge.negate().compare(tiny)).toBe(-1);
    expect(huge.toApproximateNumber()).toBe(Number.POSITIVE_INFINITY);
    expect(huge.value()).toBe(0n);
    expect(huge.toInt64()).toBeUndefined();
    expect(String(huge.multiply(3n))).toBe('3e999999999');
    expect(() => huge.add(tiny)).toThrow(RangeError);
    expect(() => huge.subtract(tiny)).toThrow(RangeError);
    expect(() => huge.toDecimal()).toThrow(RangeError);
    expect(String(huge.add(parseQuantity('0')))).toBe('1e999999999');
  });
});

describe('conversions', () => {
  it.each([
    ['1.5', 2n, 1500n, 1.5, '1.5'],
    ['-1.5', -2n, -1500n, -1.5, '-1.5'],
    ['100m', 1n, 100n, 0.1, '0.100'],
    ['1Gi', 1073741824n, 1073741824000n, 1073741824, '1073741824'],
    ['0', 0n, 0n, 0, '0'],
  ])('of %s', (text, value, milliValue, number, decimal) => {
    const quantity = parseQuantity(text);
    expect(quantity.value()).toBe(value);
    expect(quantity.milliValue()).toBe(milliValue);
    expect(quantity.toApproximateNumber()).toBe(number);
    expect(quantity.toDecimal()).toBe(decimal);
  });

  it('support integers of 64 bits', () => {
    expect(parseQuantity('1k').toInt64()).toBe(1000n);
    expect(parseQuantity('9e18').toInt64()).toBe(9_000_000_000_000_000_000n);
    expect(parseQuantity('1e19').toInt64()).toBeUndefined();
    expect(parseQuantity('1.0').toInt64()).toBeUndefined();
    expect(quantityOf(7n).toInt64()).toBe(7n);
    expect(quantityOf(2n ** 63n).toInt64()).toBeUndefined();
  });

  it('round away from zero', () => {
    expect(parseQuantity('1.1').roundUp(0)).toMatchObject({ exact: false });
    expect(String(parseQuantity('1.1').roundUp(0).quantity)).toBe('2');
    expect(String(parseQuantity('-1.1').roundUp(0).quantity)).toBe('-2');
    expect(String(parseQuantity('1500m').roundUp(-3).quantity)).toBe('1500m');
    expect(parseQuantity('1500m').roundUp(-3).exact).toBe(true);
    expect(String(parseQuantity('1').roundUp(3).quantity)).toBe('1k');
  });
});

describe('arithmetic', () => {
  it('uses the format of the first operand, unless that is zero', () => {
    expect(String(parseQuantity('1Ki').add(parseQuantity('1k')))).toBe('2024');
    expect(String(parseQuantity('1Ki').add(parseQuantity('1024')))).toBe('2Ki');
    expect(String(parseQuantity('0').add(parseQuantity('1Ki')))).toBe('1Ki');
    expect(String(parseQuantity('1').subtract(parseQuantity('1m')))).toBe('999m');
    expect(String(parseQuantity('3m').multiply(-2n))).toBe('-6m');
    expect(String(parseQuantity('3Mi').multiply(0n))).toBe('0');
    expect(String(quantityOf(2048n, 'BinarySI'))).toBe('2Ki');
  });

  it('is exact beyond 64 bits', () => {
    const large = parseQuantity('9223372036854775807');
    expect(String(large.add(parseQuantity('1')))).toBe('9223372036854775808');
    expect(String(large.multiply(large.value()))).toBe('85070591730234615847396907784232501249');
    expect(String(large.add(parseQuantity('1n')))).toBe('9223372036854775807000000001n');
  });

  it('follows the laws of addition', () => {
    fc.assert(
      fc.property(modest, modest, modest, fc.bigInt(-9n, 9n), (a, b, c, by) => {
        expect(a.add(b).equals(b.add(a))).toBe(true);
        expect(
          a
            .add(b)
            .add(c)
            .equals(a.add(b.add(c))),
        ).toBe(true);
        expect(a.subtract(b).equals(a.add(b.negate()))).toBe(true);
        expect(
          a
            .add(b)
            .multiply(by)
            .equals(a.multiply(by).add(b.multiply(by))),
        ).toBe(true);
        expect(a.compare(b)).toBe(a.subtract(b).sign);
        expect(a.compare(b) + b.compare(a)).toBe(0);
      }),
    );
  });
});

function isReadable(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}
