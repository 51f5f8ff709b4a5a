import type { JsonValue, Schema } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { compileTyped } from './typed-decode.ts';

const properties: Record<string, Schema> = { title: { type: 'string' } };
const self: Schema = { type: 'object', typeName: 'x.v1.Props', properties };
properties.items = { anyOf: [self, { type: 'array', items: self }], optional: true };
properties.more = { anyOf: [{ type: 'boolean' }, self], optional: true };
const codec = compileTyped({ type: 'object', typeName: 'x.v1.Root', properties });

const decoded = (value: JsonValue): { readonly object: unknown; readonly unknown: string[] } => {
  const unknown: string[] = [];
  const object = codec.decode(value, ({ path }) => unknown.push(path));
  return { object, unknown };
};

describe('a type of several shapes', () => {
  it('accepts each of them', () => {
    for (const value of [
      { more: true },
      { more: false },
      { more: { title: 'a', more: true } },
      { items: { title: 'a' } },
      { items: [{ title: 'a' }, {}] },
    ])
      expect(decoded(value).object).toEqual(value);
  });

  it('drops unknown fields inside silently', () => {
    expect(decoded({ nope: 1, items: { nope: 1, title: 'a' } })).toEqual({
      object: { items: { title: 'a' } },
      unknown: ['nope'],
    });
  });

  it('is null if nothing fits', () => {
    expect(decoded({ items: 'text' }).object).toEqual({ items: null });
    expect(decoded({ items: [] }).object).toEqual({ items: null });
  });

  it('rejects what is neither a boolean nor a schema', () => {
    expect(() => decoded({ more: 'text' })).toThrow('boolean or JSON schema expected');
  });

  it.each<[string, JsonValue]>([
    ['inside', { items: { more: { title: 3 } } }],
    ['inside a list', { items: [{}, { title: 3 }] }],
    ['after an earlier one', { title: true, items: { title: 3 } }],
    ['before what is not a schema', { items: { title: 3 }, more: 'text' }],
  ])('reports wrong types %s where it stands', (_, value) => {
    expect(() => decoded(value)).toThrow(
      'json: cannot unmarshal number into Go struct field Root.items of type string',
    );
  });

  it.each<[string, JsonValue]>([
    ['before it', { title: 3, more: 'text' }],
    ['beside it', { items: { title: 3, more: 'text' } }],
  ])('reports what is neither a boolean nor a schema rather than wrong types %s', (_, value) => {
    expect(() => decoded(value)).toThrow(/^boolean or JSON schema expected$/);
  });

  it('decodes texts equally', () => {
    const text = '{"items":{"title":"a","title":"b"},"more":{"nope":1}}';
    const unknown: string[] = [];
    expect(codec.decodeText(text, ({ path }) => unknown.push(path))).toEqual({
      items: { title: 'b' },
      more: {},
    });
    expect(unknown).toEqual([]);
  });

  it('rejects values that are too deep', () => {
    let deep: JsonValue = {};
    for (let level = 0; level < 5_000; level++) deep = { items: deep };
    expect(() => decoded(deep)).toThrow('exceeded max depth');
  });
});
