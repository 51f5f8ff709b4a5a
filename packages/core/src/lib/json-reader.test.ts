import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonMembers, type JsonNode, readJson } from './json-reader.ts';
import { ParseError } from './parse-error.ts';

const read = (text: string): JsonNode => readJson(new TextEncoder().encode(text));

describe('readJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2), (text, indent) => {
        const spelled = JSON.stringify(JSON.parse(text), undefined, indent);
        expect(plain(read(spelled))).toEqual(JSON.parse(spelled));
      }),
    );
  });

  it('refuses what JSON.parse refuses, with nothing but ParseError', () => {
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
    ['['.repeat(5000), 'exceeded max depth'],
  ])('refuses %.10j', (text, message) => {
    expect(() => read(text)).toThrow(new ParseError(message));
  });

  it('keeps numbers as they were spelled', () => {
    expect(read('9007199254740993')).toEqual({ spelled: '9007199254740993' });
  });
});

function plain(node: JsonNode): unknown {
  if (node instanceof JsonMembers) {
    const object: Record<string, unknown> = {};
    for (const [name, value] of node.entries)
      Object.defineProperty(object, name, { value: plain(value), enumerable: true });
    return JSON.parse(JSON.stringify(object));
  }
  if (Array.isArray(node)) return node.map(plain);
  if (typeof node === 'object' && node !== null && 'spelled' in node) return Number(node.spelled);
  return node;
}

function succeeds(action: () => unknown, refusal: new (...args: never[]) => Error): boolean {
  try {
    action();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(refusal);
    return false;
  }
}
