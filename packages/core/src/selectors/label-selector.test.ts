import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../errors/parse-error.ts';
import { parseFieldSelector } from './field-selector.ts';
import { everyLabel, noLabel, parseLabelSelector } from './label-selector.ts';

const name = fc.constantFrom('a', 'b', 'env', 'x.io/y', 'in', 'notin', '1', '-9');
const value = fc.constantFrom('', 'a', 'b', '1', '10', 'in', 'notin', 'prod');
const requirement = fc.oneof(
  name,
  name.map((key) => `!${key}`),
  fc.tuple(name, fc.constantFrom('=', '==', '!=', '>', '<'), value).map((parts) => parts.join('')),
  fc
    .tuple(name, fc.constantFrom('in', 'notin'), fc.array(value))
    .map(([key, operator, values]) => `${key} ${operator} (${values.join(',')})`),
);
const selectorText = fc.array(requirement).map((list) => list.join(', '));
const noise = fc.string({
  unit: fc.constantFrom('a', '1', '-', '/', ' ', ',', '(', ')', '=', '!', '<', '>', 'in ', '\0', 'ü'),
});

describe('parseLabelSelector', () => {
  it.each([
    ['', {}, true],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['!a', { a: '' }, false],
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'c' }, false],
    ['a=', { a: '' }, true],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a in (b,c)', { a: 'c' }, true],
    ['a in ()', { a: '' }, true],
    ['a in (b)', {}, false],
    ['a notin (b)', {}, true],
    ['a notin (b)', { a: 'b' }, false],
    ['a>9', { a: '10' }, true],
    ['a>9', { a: 'x' }, false],
    ['a<9', {}, false],
    ['a<9223372036854775807', { a: '9223372036854775806' }, true],
    ['a=b,c', { a: 'b' }, false],
    ['a=b , c', { a: 'b', c: '' }, true],
    ['constructor', {}, false],
    ['!constructor', {}, true],
    ['toString!=x', {}, true],
  ])('%j on %j is %s', (text, labels, matches) => {
    expect(parseLabelSelector(text).matches(labels)).toBe(matches);
  });

  it('treats absent labels as an empty map', () => {
    expect(parseLabelSelector('!a').matches(undefined)).toBe(true);
  });

  it('prints requirements sorted by key and sets sorted', () => {
    expect(String(parseLabelSelector('tier in (web, db,web),!legacy,a==1'))).toBe(
      'a==1,!legacy,tier in (db,web)',
    );
  });

  it.each([
    [',', "found ',', expected: !, identifier, or 'end of string'"],
    ['a=b,,c', "found ',', expected: identifier after ','"],
    ['a=b,', "found '', expected: identifier after ','"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['a=)', "unable to parse requirement: found ')', expected: identifier"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (b,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['a in (b,,)', "unable to parse requirement: found ')', expected: ',', or identifier"],
    [
      'a>x',
      `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    [
      'a>9223372036854775808',
      `unable to parse requirement: values[0]: Invalid value: "9223372036854775808": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    ['/a', 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
    [
      'a in (b, -c)',
      `unable to parse requirement: values[0][a]: Invalid value: "-c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
    ],
  ])('rejects %j', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(new ParseError(message));
  });

  it('puts several errors of one requirement in brackets', () => {
    expect(() => parseLabelSelector('a>-x')).toThrow(
      /^unable to parse requirement: \[values\[0\]: .*, values\[0\]\[a\]: /,
    );
  });

  it('parses what it prints', () => {
    const readable = selectorText.filter((text) => isReadable(text));
    fc.assert(
      fc.property(readable, fc.dictionary(name, value), (text, labels) => {
        const selector = parseLabelSelector(text);
        const again = parseLabelSelector(String(selector));
        expect(String(again)).toBe(String(selector));
        expect(again.requirements).toEqual(selector.requirements);
        expect(again.matches(labels)).toBe(selector.matches(labels));
      }),
    );
  });

  it('throws nothing but ParseError', () => {
    fc.assert(
      fc.property(fc.oneof(noise, fc.string({ unit: 'binary' })), (text) => {
        expect([true, false]).toContain(isReadable(text));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a selector within its limits', () => {
  const terms = (count: number): string => Array.from({ length: count }, (_, i) => `k${i}=v`).join(',');
  const values = (count: number): string => `k in (${Array.from({ length: count }, (_, i) => i).join(',')})`;

  it('has at most 2,500 requirements', () => {
    expect(parseLabelSelector(terms(2_500)).requirements).toHaveLength(2_500);
    expect(() => parseLabelSelector(terms(2_501))).toThrow('the selector has more than 2500 requirements');
    expect(parseFieldSelector(terms(2_500)).isEmpty).toBe(false);
    expect(() => parseFieldSelector(terms(2_501))).toThrow('the selector has more than 2500 requirements');
  });

  it('has at most 10,000 requirements and values', () => {
    expect(parseLabelSelector(values(9_000)).requirements[0]?.values).toHaveLength(9_000);
    expect(() => parseLabelSelector(values(10_001))).toThrow(
      'the selector has more than 10000 requirements and values',
    );
  });
});

describe('constant selectors', () => {
  it('select everything and nothing', () => {
    expect(everyLabel.isEmpty).toBe(true);
    expect(everyLabel.matches({ a: 'b' })).toBe(true);
    expect(noLabel.isEmpty).toBe(false);
    expect(noLabel.matches({})).toBe(false);
  });
});

function isReadable(text: string): boolean {
  try {
    parseLabelSelector(text);
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}
