import { runAtOnce, type Schema, type Steps } from '@ashlar/core';
import { describe, expect, it, vi } from 'vitest';
import { compileType } from './compile-type.ts';
import { TypedContext } from './typed-context.ts';
import { compileTyped } from './typed-decode.ts';
import { readExactly } from './typed-exact.ts';

const COUNT = 50_000;
const names: Schema = { type: 'array', items: { type: 'string' } };
const part: Schema = { type: 'object', typeName: 'a.Part', properties: { name: { type: 'string' } } };
const kind: Schema = {
  type: 'object',
  typeName: 'a.Thing',
  properties: {
    name: { type: 'string' },
    names,
    numbers: { type: 'array', items: { type: 'integer', format: 'int32' } },
    parts: { type: 'array', items: part },
    items: { anyOf: [part, { type: 'array', items: part }] },
  },
};
const codec = compileTyped(kind);
const textOf = (field: string, value: unknown): string =>
  JSON.stringify({ [field]: Array.from({ length: COUNT }, () => value) });

const pausesOf = (steps: Steps<unknown>): number => [...steps].length;

describe('long lists', () => {
  it('where a text should be are parsed in pieces', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const text = textOf('name', 'a'.repeat(10));
    expect(() => runAtOnce(codec.decodeTextSteps(text, () => {}))).toThrow(
      'json: cannot unmarshal array into Go struct field Thing.name of type string',
    );
    expect(text.length).toBeGreaterThan(500_000);
    expect(Math.max(...parse.mock.calls.map(([piece]) => piece.length))).toBeLessThanOrEqual(65_536);
    parse.mockRestore();
  });

  it.each([
    ['names', 5, 'number into Go struct field Thing.names of type string'],
    ['numbers', 'a', 'string into Go struct field Thing.numbers of type int32'],
    ['numbers', 1.5, 'number 1.5 into Go struct field Thing.numbers of type int32'],
    ['parts', 'a', 'string into Go struct field Thing.parts of type a.Part'],
  ])('of %s that are all %j have one error made', (field, value, expected) => {
    const made = [
      vi.spyOn(TypedContext.prototype, 'typeError'),
      vi.spyOn(TypedContext.prototype, 'numberError'),
    ];
    expect(() => codec.decode(JSON.parse(textOf(field, value)), () => {})).toThrow(expected);
    expect(made.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
    vi.restoreAllMocks();
  });

  it('in a type of several shapes are decoded with pauses', () => {
    const value = { items: Array.from({ length: COUNT }, (_, i) => ({ name: `n${i}` })) };
    expect(runAtOnce(codec.decodeSteps(value, () => {}))).toEqual(codec.decode(value, () => {}));
    expect(pausesOf(codec.decodeSteps({ ...value }, () => {}))).toBeGreaterThan(COUNT / 2048);
    expect(
      pausesOf(readExactly(compileType(kind), JSON.stringify(value), new TypedContext(() => {}))),
    ).toBeGreaterThan(COUNT / 1024);
  });
});
