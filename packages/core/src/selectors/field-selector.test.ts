import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../errors/parse-error.ts';
import {
  escapeFieldValue,
  everyField,
  type FieldRequirement,
  fieldSelectorOf,
  parseFieldSelector,
  unescapeFieldValue,
} from './field-selector.ts';

const fieldsOf =
  (fields: Record<string, string>) =>
  (field: string): string | undefined =>
    fields[field];

describe('parseFieldSelector', () => {
  it.each([
    ['', {}, true],
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'c' }, false],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a=', {}, true],
    ['a=b,c!=d', { a: 'b', c: 'd' }, false],
    ['a=x\\,y', { a: 'x,y' }, true],
    ['a=x\\=y\\\\', { a: 'x=y\\' }, true],
    [',a=b,,', { a: 'b' }, true],
    ['=', { a: 'b' }, true],
  ])('%j on %j is %s', (text, fields, matches) => {
    expect(parseFieldSelector(text).matches(fieldsOf(fields))).toBe(matches);
  });

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=b,c', "invalid selector: 'a=b,c'; can't understand 'c'"],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
    ['a=\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['a=\\😀', 'invalid field selector: invalid escape sequence: \\😀'],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
  ])('rejects %j', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(new ParseError(message));
  });

  it('returns the required value of a field', () => {
    const selector = parseFieldSelector('metadata.name=a,metadata.namespace!=b');
    expect(selector.exactValue('metadata.name')).toBe('a');
    expect(selector.exactValue('metadata.namespace')).toBeUndefined();
    expect(parseFieldSelector('metadata.name=').exactValue('metadata.name')).toBe('');
  });

  it('selects everything without terms', () => {
    expect(parseFieldSelector(',').isEmpty).toBe(true);
    expect(everyField.isEmpty).toBe(true);
    expect(parseFieldSelector('a=b').isEmpty).toBe(false);
  });

  it('parses what it prints', () => {
    const requirement: fc.Arbitrary<FieldRequirement> = fc.record({
      field: fc.stringMatching(/^[a-z.]+$/),
      operator: fc.constantFrom('=', '!='),
      value: fc.string({ unit: fc.constantFrom('a', ',', '=', '\\', '!', ' ', 'ü', '😀') }),
    });
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const text = String(fieldSelectorOf(requirements));
        const selector = parseFieldSelector(text);
        expect(selector.requirements).toHaveLength(requirements.length);
        expect(selector.requirements).toEqual(expect.arrayContaining(requirements));
        expect(String(parseFieldSelector(String(selector)))).toBe(String(selector));
      }),
    );
  });

  it('throws nothing but ParseError', () => {
    const noise = fc.string({ unit: fc.constantFrom('a', ',', '=', '!', '\\', '😀', '\ud83d') });
    fc.assert(
      fc.property(noise, (text) => {
        try {
          parseFieldSelector(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
    );
  });
});

describe('values', () => {
  it('survive escaping', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ',', '=', '\\', '😀') }), (value) => {
        expect(unescapeFieldValue(escapeFieldValue(value))).toBe(value);
      }),
    );
  });
});
