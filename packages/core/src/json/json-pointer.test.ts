import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../errors/parse-error.ts';
import type { JsonValue } from './json.ts';
import { unescapePointerToken, valueAtPointer } from './json-pointer.ts';

const document: JsonValue = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'm~n': 8, o: { q: null } };

describe('JSON pointers', () => {
  it.each([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/foo/01', 'baz'],
    ['/', 0],
    ['/a~1b', 1],
    ['/m~0n', 8],
    ['/o/q', null],
  ])('resolve %j to %j', (pointer, value) => {
    expect(valueAtPointer(document, pointer)).toEqual(value);
  });

  it.each([
    ['foo', 'JSON pointer must be empty or start with a "/'],
    ['/foo/2', "index out of bounds array[0,1] index '2'"],
    ['/foo/-1', "index out of bounds array[0,1] index '-1'"],
    ['/foo/-', 'strconv.Atoi: parsing "-": invalid syntax'],
    ['/foo/99999999999999999999', 'strconv.Atoi: parsing "99999999999999999999": value out of range'],
    ['/foo/length', 'strconv.Atoi: parsing "length": invalid syntax'],
    ['/o/nope', 'object has no key "nope"'],
    ['/constructor', 'object has no key "constructor"'],
    ['/o/q/x', 'nil value has not field "x"'],
    ['//x', 'invalid token reference "x"'],
  ])('do not resolve %j', (pointer, message) => {
    expect(() => valueAtPointer(document, pointer)).toThrow(new ParseError(message));
  });

  it('throw nothing but ParseError', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.string({ unit: fc.constantFrom('/', '~', '0', '1', 'a', '-') }),
        (value, pointer) => {
          try {
            valueAtPointer(value as JsonValue, pointer);
          } catch (error) {
            expect(error).toBeInstanceOf(ParseError);
          }
        },
      ),
    );
  });
});

describe('a long token', () => {
  it('means what a short one means', () => {
    const part = fc.constantFrom('~', '0', '1', '~0', '~1', 'a', 'ä', '𝄞');
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const token = parts.join('');
        const filler = 'x'.repeat(5000);
        expect(unescapePointerToken(filler + token)).toBe(filler + unescapePointerToken(token));
      }),
    );
  });
});
