import { deepFreeze, type JsonObject, type JsonValue } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldSet } from './field-set.ts';
import { decodeFieldSet, encodeFieldSet, FieldSetError } from './field-set-codec.ts';
import {
  fieldElement,
  fieldPath,
  keyElement,
  type PathElement,
  parsePathElement,
  printFieldPath,
  valueElement,
} from './path-element.ts';

const read = (fields: JsonValue): FieldSet => decodeFieldSet(deepFreeze(fields));
const text = (set: FieldSet): string => JSON.stringify(encodeFieldSet(set));

describe('path elements', () => {
  it.each([
    ['f:spec', '.spec'],
    ['k:{"port":80,"protocol":"TCP"}', '[port=80,protocol="TCP"]'],
    ['v:"finalizer.example.com"', '[="finalizer.example.com"]'],
    ['v:3', '[=3]'],
    ['i:0', '[0]'],
    ['v:"\\u003ca\\u0026b\\u003e"', '[="<a&b>"]'],
    ['v:0.000001', '[=1e-06]'],
    ['v:{"b":1,"a":[null]}', '[=a=[null]b=1]'],
  ])('%s prints as %s', (key, printed) => {
    expect(printFieldPath([parsePathElement(key) as PathElement])).toBe(printed);
  });

  it('sorts key fields and prints values compactly', () => {
    expect(
      keyElement([
        ['name', 'b'],
        ['a', 1.5],
      ]).text,
    ).toBe('k:{"a":1.5,"name":"b"}');
    expect(valueElement('<&>\b').text).toBe('v:"\\u003c\\u0026\\u003e\\u0008"');
    expect(parsePathElement('k: {"b" : 1e3, "a":2} rest')?.text).toBe('k:{"a":2,"b":1000}');
  });

  it('reads a key of one text as it reads all others', () => {
    const name = fc.stringMatching(/^[-.\w]{1,4}$/);
    const character = fc.constantFrom('a', ' ', '<', '&', '"', '\\', 'é', '\u2028', '~', '\u007f', '[', ']');
    const value = fc.string({ unit: character, maxLength: 6 });
    fc.assert(
      fc.property(name, value, (name, value) => {
        const written = keyElement([[name, value]]);
        expect(parsePathElement(written.text)).toEqual({ ...written, fromText: true });
        expect(parsePathElement(`${written.text} rest`)).toEqual({ ...written, fromText: true });
      }),
    );
  });

  it('skips unknown kinds of elements, and rejects invalid ones', () => {
    expect(parsePathElement('x:data')).toBeUndefined();
    for (const key of [
      'f',
      'spec',
      'v:',
      'v:nil',
      'v:01',
      'k:[]',
      'i:x',
      'i:1.5',
      'k:{"a":1',
      `v:${'['.repeat(200)}`,
    ])
      expect(() => parsePathElement(key), key).toThrow();
  });
});

describe('field sets', () => {
  const a = FieldSet.of(fieldPath('a'), fieldPath('a', 'b'), fieldPath('c', 'd'));
  const b = FieldSet.of(fieldPath('a'), fieldPath('c', 'e'));

  it('union, intersect and differ', () => {
    expect(text(a.union(b))).toBe('{"f:a":{".":{},"f:b":{}},"f:c":{"f:d":{},"f:e":{}}}');
    expect(text(a.intersection(b))).toBe('{"f:a":{}}');
    expect(text(a.difference(b))).toBe('{"f:a":{"f:b":{}},"f:c":{"f:d":{}}}');
    expect(text(a.recursiveDifference(b))).toBe('{"f:c":{"f:d":{}}}');
    expect(text(a.leaves())).toBe('{"f:a":{"f:b":{}},"f:c":{"f:d":{}}}');
  });

  it('contain their paths', () => {
    expect([...a.paths()].map(printFieldPath)).toEqual(['.a', '.a.b', '.c.d']);
    expect([a.size, FieldSet.EMPTY.isEmpty, FieldSet.of([]).isEmpty]).toEqual([3, true, true]);
    expect([a.has(fieldPath('c')), a.has(fieldPath('c', 'd')), a.has([])]).toEqual([false, true, false]);
    expect(text(a.below(fieldElement('c')))).toBe('{"f:d":{}}');
  });
});

describe('FieldsV1', () => {
  it('is encoded in canonical order', () => {
    const fields = {
      'i:0': {},
      'v:2': {},
      'v:10': {},
      'k:{"a":1}': {},
      'f:b': {},
      'f:a': { 'f:x': {}, '.': {} },
    };
    expect(text(read(fields))).toBe(
      '{"f:a":{".":{},"f:x":{}},"f:b":{},"k:{\\"a\\":1}":{},"v:2":{},"v:10":{},"i:0":{}}',
    );
  });

  it('decodes an object without known keys, and null, as the element itself', () => {
    expect(text(read({ 'f:a': { '.': {} }, 'f:b': null, 'x:c': {} }))).toBe('{"f:a":{},"f:b":{}}');
    expect(read(null).isEmpty).toBe(true);
  });

  it('merges keys that spell the same element', () => {
    expect(text(read({ 'v:1': { 'f:a': {} }, 'v:1.0': {} }))).toBe('{"v:1":{".":{},"f:a":{}}}');
  });

  it('rejects values that are not objects, malformed keys and hostile depth', () => {
    for (const fields of [[], 'x', { 'f:a': 1 }, { a: {} }, { 'k:{': {} }])
      expect(() => read(fields as JsonValue)).toThrow(FieldSetError);
    let deep: JsonObject = {};
    for (let depth = 0; depth < 100_000; depth++) deep = { 'f:a': deep };
    expect(() => decodeFieldSet(deep)).toThrow(FieldSetError);
  });

  it.each(['k', 'v'])('rejects elements %s: of more than 128 values before they are read', (kind) => {
    const members = (count: number): JsonObject =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, i]));
    const element = (count: number): JsonObject => ({ [`${kind}:${JSON.stringify(members(count))}`]: {} });
    expect(read(element(100)).size).toBe(1);
    expect(() => read(element(129))).toThrow('more than 128 values in a path element');
  });
});

describe('any field sets', () => {
  const element = fc.oneof(
    fc.constantFrom('a', 'b', 'c', '__proto__', '.', 'ü').map(fieldElement),
    fc.constantFrom<JsonValue>(0, 1, 2, 'x', true, null).map((value) => valueElement(value)),
    fc.constantFrom<JsonValue>(1, 'x').map((value) => keyElement([['name', value]])),
  );
  const path = fc.array(element, { minLength: 1, maxLength: 4 });
  const set = fc.array(path, { maxLength: 8 }).map((paths) => FieldSet.of(...paths));

  it('round-trip through FieldsV1', () => {
    fc.assert(fc.property(set, (any) => read(encodeFieldSet(any)).equals(any)));
  });

  it('follow the algebra of sets', () => {
    const has = (of: FieldSet, all: FieldSet) => [...all.paths()].map((each) => of.has(each));
    fc.assert(
      fc.property(set, set, (a, b) => {
        const all = a.union(b);
        const [inA, inB] = [has(a, all), has(b, all)];
        const agree = (of: FieldSet, expected: boolean[]) =>
          has(of, all).every((is, index) => is === expected[index]) &&
          of.size === expected.filter(Boolean).length;
        return (
          agree(
            all,
            inA.map(() => true),
          ) &&
          agree(
            a.intersection(b),
            inA.map((is, index) => is && (inB[index] as boolean)),
          ) &&
          agree(
            a.difference(b),
            inA.map((is, index) => is && !inB[index]),
          ) &&
          a.union(b).equals(b.union(a)) &&
          a.difference(a).isEmpty
        );
      }),
    );
  });

  it('contain nothing below removed elements after a recursive difference', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const left = a.recursiveDifference(b);
        return [...left.paths()].every((each) => each.every((_, index) => !b.has(each.slice(0, index + 1))));
      }),
    );
  });
});
