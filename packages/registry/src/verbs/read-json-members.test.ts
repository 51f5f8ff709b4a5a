import { ParseError } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonMembers, type JsonNode, readJson } from './read-json-members.ts';

const read = (text: string): JsonNode => readJson(new TextEncoder().encode(text));

describe('readJson', () => {
  it('reads the members that JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2), (text, indent) => {
        const value: unknown = JSON.parse(text);
        expect(plain(read(JSON.stringify(value, undefined, indent)))).toEqual(outermost(value));
      }),
    );
  });

  it('keeps repeated members in order', () => {
    const { entries } = read('{"a":1,"b":[{"a":","}],"a":"x"}') as JsonMembers;
    expect(entries).toEqual([
      ['a', { spelled: '1' }],
      ['b', []],
      ['a', 'x'],
    ]);
  });

  it('rejects what JSON.parse rejects, with nothing but ParseError', () => {
    const tokens = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '"a"',
      'u00e',
      '1',
      '-',
      '0',
      '.',
      'e',
      'true',
      'nul',
      ' ',
      '\n',
      'ü',
    );
    fc.assert(
      fc.property(fc.array(tokens), (list) => {
        const text = list.join('');
        expect(succeeds(() => read(text), ParseError)).toBe(succeeds(() => JSON.parse(text), SyntaxError));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['"a', 'unexpected end of JSON input'],
    ['{"a"', 'unexpected end of JSON input'],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['3.', "invalid character ' ' after decimal point in numeric literal"],
    ['x', "invalid character 'x' looking for beginning of value"],
    ['{x', "invalid character 'x' looking for beginning of object key string"],
    ['{"a" 1', "invalid character '1' after object key"],
    ['{"a":1 2', "invalid character '2' after object key:value pair"],
    ['[1 2', "invalid character '2' after array element"],
    ['1 2', "invalid character '2' after top-level value"],
    ['nil', "invalid character 'i' in literal null (expecting 'u')"],
    ['"\n', "invalid character '\\n' in string literal"],
    ['"\\x', "invalid character 'x' in string escape code"],
    ['"\\u00g', "invalid character 'g' in \\u hexadecimal character escape"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ["'", "invalid character '\\'' looking for beginning of value"],
    ['1"', `invalid character '"' after top-level value`],
    ['ü', "invalid character 'Ã' looking for beginning of value"],
    ['['.repeat(10_001), "invalid character '[' exceeded max depth"],
  ])('rejects %.10j', (text, message) => {
    expect(() => read(text)).toThrow(new ParseError(message));
  });

  it('preserves the spelling of numbers', () => {
    expect(read('9007199254740993')).toEqual({ spelled: '9007199254740993' });
  });
});

/** As JSON.stringify and JSON.parse return it: the last of repeated members, numbers parsed. */
function plain(node: JsonNode): unknown {
  if (node instanceof JsonMembers)
    return Object.fromEntries(node.entries.map(([name, value]) => [name, plain(value)]));
  return typeof node === 'object' && node !== null && 'spelled' in node ? Number(node.spelled) : node;
}

function outermost(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return emptied(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, emptied(member)]));
}

const emptied = (value: unknown): unknown =>
  typeof value !== 'object' || value === null ? value : Array.isArray(value) ? [] : {};

function succeeds(action: () => unknown, refusal: new (...args: never[]) => Error): boolean {
  try {
    action();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(refusal);
    return false;
  }
}
