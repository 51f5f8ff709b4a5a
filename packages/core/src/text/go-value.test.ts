import { describe, expect, it } from 'vitest';
import { goSyntax, goTextMapSyntax, goTypeName, goValue } from './go-value.ts';

const deep = (levels: number): never => {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = { value };
  return value as never;
};

describe('goTypeName', () => {
  it.each([
    [null, '<nil>'],
    [[], '[]interface {}'],
    [{}, 'map[string]interface {}'],
    [true, 'bool'],
    [1, 'int64'],
    [1.5, 'float64'],
    [2n ** 60n, 'int64'],
    ['', 'string'],
  ])('of %s is %s', (value, name) => {
    expect(goTypeName(value)).toBe(name);
  });
});

describe('goValue', () => {
  it.each([
    [null, '<nil>'],
    [{ b: ['x', 1.5, null], a: { c: true }, absent: undefined }, 'map[a:map[c:true] b:[x 1.5 <nil>]]'],
    [[2n ** 60n, 1e21], '[1152921504606846976 1e+21]'],
    [{ '\u{10000}': 1, '\uffff': 2 }, 'map[\uffff:2 \u{10000}:1]'],
  ])('prints %o', (value, text) => {
    expect(goValue(value)).toBe(text);
  });

  it('prints the beginning of what is large, and the outer levels of what is deep', () => {
    const items = goValue(Array.from({ length: 1_000_000 }, () => 1));
    expect([items.length, items.slice(0, 6), items.slice(-4)]).toEqual([65_539, '[1 1 1', '1...']);
    const members = goValue(Object.fromEntries(Array.from({ length: 500_000 }, (_, i) => [`k${i}`, i])));
    expect([members.length, members.slice(0, 9)]).toEqual([65_539, 'map[k0:0 ']);
    expect(goValue('x'.repeat(100_000))).toBe(`${'x'.repeat(65_536)}...`);
    let nested: unknown = 1;
    for (let level = 0; level < 100_000; level++) nested = [nested];
    expect(goValue(nested as never)).toBe(`${'['.repeat(100)}…${']'.repeat(100)}`);
  });
});

describe('goTextMapSyntax', () => {
  it('prints maps of texts as Go does', () => {
    expect(goTextMapSyntax({ b: 'x"', a: '1' })).toBe('map[string]string{"a":"1", "b":"x\\""}');
    expect(goTextMapSyntax({})).toBe('map[string]string{}');
    expect(goTextMapSyntax(undefined)).toBe('map[string]string(nil)');
  });
});

describe('goSyntax', () => {
  it.each([
    [null, '<nil>'],
    ['x', '"x"'],
    [3, '3'],
    [[], '[]interface {}{}'],
    [{ name: 'a' }, 'map[string]interface {}{"name":"a"}'],
    [
      { b: [1, 1.5, null], a: true },
      'map[string]interface {}{"a":true, "b":[]interface {}{1, 1.5, interface {}(nil)}}',
    ],
  ])('prints %o', (value, text) => {
    expect(goSyntax(value)).toBe(text);
  });

  it('stops at deep values', () => {
    expect(goSyntax(deep(20_000))).toContain('…');
  });
});
