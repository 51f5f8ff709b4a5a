import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldErrors, fieldErrorText, PrintedValue, printFieldValue } from './field-error.ts';

describe('field errors', () => {
  it.each([
    [FieldErrors.required('a'), 'FieldValueRequired', 'a: Required value'],
    [FieldErrors.required('a', 'why'), 'FieldValueRequired', 'a: Required value: why'],
    [FieldErrors.invalid('a', 'x', 'why'), 'FieldValueInvalid', 'a: Invalid value: "x": why'],
    [FieldErrors.typeInvalid('a', 1, 'why'), 'FieldValueTypeInvalid', 'a: Invalid value: 1: why'],
    [
      FieldErrors.notSupported('a', 'x', ['p', 'q']),
      'FieldValueNotSupported',
      'a: Unsupported value: "x": supported values: "p", "q"',
    ],
    [FieldErrors.notSupported('a', 'x', []), 'FieldValueNotSupported', 'a: Unsupported value: "x"'],
    [FieldErrors.duplicate('a[1]', 'x'), 'FieldValueDuplicate', 'a[1]: Duplicate value: "x"'],
    [FieldErrors.notFound('a', 'x'), 'FieldValueNotFound', 'a: Not found: "x"'],
    [FieldErrors.forbidden('a', 'why'), 'FieldValueForbidden', 'a: Forbidden: why'],
    [FieldErrors.tooLong('a', 3), 'FieldValueTooLong', 'a: Too long: may not be more than 3 bytes'],
    [FieldErrors.tooLong('a', -1), 'FieldValueTooLong', 'a: Too long: value is too long'],
    [FieldErrors.tooMany('a', 4, 3), 'FieldValueTooMany', 'a: Too many: 4: must have at most 3 items'],
    [FieldErrors.tooMany('a', 4, -1), 'FieldValueTooMany', 'a: Too many: 4: has too many items'],
    [FieldErrors.internal('a', 'why'), 'InternalError', 'a: Internal error: why'],
  ])('%j', (error, reason, text) => {
    expect(error.reason).toBe(reason);
    expect(fieldErrorText(error)).toBe(text);
  });
});

describe('printFieldValue', () => {
  it.each([
    ['a"b\n', '"a\\"b\\n"'],
    [1, '1'],
    [-1.5, '-1.5'],
    [0.00001, '1e-05'],
    [1e21, '1e+21'],
    [true, 'true'],
    [null, '"null"'],
    [undefined, '"null"'],
    [9007199254740993n, '9007199254740993'],
    [12345678901234567890n, '1.2345678901234567e+19'],
    [new PrintedValue('0x0'), '0x0'],
    [new PrintedValue('x'.repeat(2001)), `${'x'.repeat(2000)}...`],
    [new PrintedValue('x'.repeat(2001), 3000), 'x'.repeat(2001)],
    [new PrintedValue('x'.repeat(3001), 3000), `${'x'.repeat(3000)}...`],
    [{ a: [1n] }, '{"a":["1"]}'],
    [['a', 'b"'], '[]string{"a", "b\\""}'],
    [['a', 1], '["a",1]'],
    [[], '[]'],
  ])('prints %s as %s', (value, text) => {
    expect(printFieldValue(value)).toBe(text);
  });

  it('does not fail on nesting deeper than the stack', () => {
    let value: unknown[] = [];
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    expect(printFieldValue(value)).toBe('[...]');
  });

  it.each([
    ['[...]', Array.from({ length: 200_000 }, (_, i) => `a${i}`)],
    ['{...}', Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`a${i}`, 'b']))],
  ])('prints %s for a large value, of which no members are listed again', (text, value) => {
    // does not finish in the time of a test if they are
    for (let i = 0; i < 10_000; i++) expect(printFieldValue(value)).toBe(text);
  });

  it('prints every JSON value', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => printFieldValue(value).length > 0));
  });
});
