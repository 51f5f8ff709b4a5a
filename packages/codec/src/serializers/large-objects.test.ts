import { type JsonObject, runAtOnce, type Schema, type Steps } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { compileCbor } from '../cbor/cbor.ts';
import { compileProtobuf } from '../protobuf/protobuf.ts';

const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  typeName: 'x.Thing',
  properties,
  ...more,
});
const text: Schema = { type: 'string' };
const list = (items: Schema, tag: number): Schema => ({ type: 'array', items, tag });
const schema = object({
  inner: object(
    {
      names: list(text, 1),
      ports: list(object({ name: { ...text, tag: 1 } }), 2),
      values: list({ format: 'raw-extension' }, 3),
      labels: { type: 'object', additionalProperties: text, tag: 4 },
      any: { format: 'raw-extension', tag: 5 },
      either: { anyOf: [{ type: 'boolean', tag: 1 }, list(text, 2)], tag: 6 },
      lists: { type: 'object', additionalProperties: { type: 'array', items: text }, tag: 7 },
      flat: { ...text, tag: [8, 1] },
    },
    { tag: 1 },
  ),
});
const codecs = { Protobuf: compileProtobuf(schema), CBOR: compileCbor(schema) };

const pausesOf = (steps: Steps<unknown>): number => [...steps].length;

const many = <T>(make: (i: number) => T): T[] => Array.from({ length: 20_000 }, (_, i) => make(i));
const mapped = <T>(value: T): Record<string, T> =>
  Object.fromEntries(many((i) => [`k${(i * 7919) % 20_000}`, value]));

describe.each(Object.entries(codecs))('the %s of a large object', (_, codec) => {
  it.each<[string, JsonObject]>([
    ['texts', { names: many((i) => `a${i}`) }],
    ['messages', { ports: many((i) => ({ name: `a${i}` })) }],
    ['any values', { values: many((i) => (i % 2 ? i : { a: i })) }],
    ['one value', { any: many((i) => ({ a: i })) }],
    ['members', { labels: mapped('a') }],
    ['one of several shapes', { either: many((i) => `a${i}`) }],
    ['lists in a map', { lists: mapped(['a']) }],
  ])('of %s is written with pauses, and the same as at once', (_name, inner) => {
    const value = { inner: { flat: 'a', ...inner } };
    expect(pausesOf(codec.encodeSteps(value))).toBeGreaterThan(3);
    expect(Buffer.from(runAtOnce(codec.encodeSteps(value))).equals(codec.encode(value))).toBe(true);
  });

  it.each<[JsonObject]>([
    [{}],
    [{ inner: {} }],
    [{ inner: { names: null, labels: null, ports: [null], either: true } }],
  ])('that is small is the same: %j', (value) => {
    expect(Buffer.from(runAtOnce(codec.encodeSteps(value))).equals(codec.encode(value))).toBe(true);
  });
});
