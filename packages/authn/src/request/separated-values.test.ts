import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSeparatedValues, SeparatedValuesError } from './separated-values.ts';

const fieldsOf = (text: string): readonly (readonly string[])[] =>
  parseSeparatedValues(text).map(({ fields }) => fields);

describe('parseSeparatedValues', () => {
  it.each([
    ['', []],
    ['\n\r\n\n', []],
    ['a,b\nc', [['a', 'b'], ['c']]],
    ['a,b\r\nc\r', [['a', 'b'], ['c']]],
    [',\n', [['', '']]],
    ['a,', [['a', '']]],
    [' a , b ', [[' a ', ' b ']]],
    ['"a,b",c', [['a,b', 'c']]],
    ['"a""b"', [['a"b']]],
    ['""', [['']]],
    ['"""",x', [['"', 'x']]],
    ['"a\nb",c\nd', [['a\nb', 'c'], ['d']]],
    ['#a,b', [['#a', 'b']]],
    ['a\rb', [['a\rb']]],
  ])('parses %j', (text, expected) => {
    expect(fieldsOf(text)).toEqual(expected);
  });

  it('reports the first line of a record', () => {
    const records = parseSeparatedValues('\na\n"b\n\nb"\n\nc');
    expect(records.map(({ line, fields }) => [line, fields[0]])).toEqual([
      [2, 'a'],
      [3, 'b\n\nb'],
      [7, 'c'],
    ]);
  });

  it.each([
    ['a\nb"c', 2, 'a quote in a field that is not quoted'],
    ['a, "b"', 1, 'a quote in a field that is not quoted'],
    ['"a"b', 1, 'text after the closing quote of a field'],
    ['"a\n"b', 2, 'text after the closing quote of a field'],
    ['\n"a\nb\n', 2, 'a quoted field does not end'],
    ['"a""', 1, 'a quoted field does not end'],
  ])('rejects %j', (text, line, message) => {
    expect(() => parseSeparatedValues(text)).toThrow(new SeparatedValuesError(line, message));
  });

  it('round-trips', () => {
    const field = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', ' ', ';'), maxLength: 5 });
    const records = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }));
    fc.assert(
      fc.property(records, fc.constantFrom('\n', '\r\n'), (rows, newline) => {
        const text = rows
          .map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(','))
          .join(newline);
        expect(fieldsOf(text)).toEqual(rows);
      }),
    );
  });

  it('parses or rejects any text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' '), maxLength: 20 });
    fc.assert(
      fc.property(text, (any) => {
        try {
          for (const { line, fields } of parseSeparatedValues(any)) {
            expect(line).toBeGreaterThan(0);
            expect(fields.length).toBeGreaterThan(0);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(SeparatedValuesError);
        }
      }),
    );
  });
});
