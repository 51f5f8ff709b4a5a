import { type JsonObject, objectMetaSchema, type Schema } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../serializers/decode-error.ts';
import { compileProtobuf } from './protobuf.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  typeName: 'x.Thing',
  properties,
});
const text: Schema = { type: 'string' };

describe('compileProtobuf', () => {
  it('encodes required scalars even when zero, and drops them again', () => {
    const codec = compileProtobuf(
      object({
        name: { ...text, tag: 2 },
        count: { type: 'integer', tag: 1 },
        on: { type: 'boolean', tag: 3, optional: true },
        shown: { ...text, tag: 4, alwaysPrinted: true },
      }),
    );
    expect(hex(codec.encode({}))).toBe('080012002200');
    expect(codec.decode(bytes('080012001800'))).toEqual({ on: false, shown: '' });
  });

  it('encodes required objects and prints them when empty', () => {
    const codec = compileProtobuf(
      object({ status: { ...object({ items: { type: 'array', items: text, tag: 1 } }), tag: 1 } }),
    );
    expect(hex(codec.encode({}))).toBe('0a00');
    expect(codec.decode(bytes(''))).toEqual({ status: {} });
  });

  it('refuses messages that are large only by what they do not have', () => {
    const owner = object({ name: { ...text, tag: 1, alwaysPrinted: true } });
    const codec = compileProtobuf(object({ owners: { type: 'array', items: owner, tag: 1 } }));
    const owners = (count: number, message: string) => bytes(message.repeat(count));
    expect(codec.decode(owners(40_000, '0a00'))).toMatchObject({ owners: { length: 40_000 } });
    expect(() => codec.decode(owners(60_000, '0a00'))).toThrow('bytes of fields that are absent');
    // what is written costs bytes of the message
    expect(codec.decode(owners(60_000, '0a020a00'))).toMatchObject({ owners: { length: 60_000 } });
  });

  it('reads each of many empty messages as an object of its own', () => {
    const item = object({
      name: { ...text, tag: 1, alwaysPrinted: true },
      port: { type: 'integer', tag: 2 },
    });
    const codec = compileProtobuf(object({ items: { type: 'array', items: item, tag: 1 } }));
    const { items } = codec.decode(bytes('0a000a0210070a000a00')) as { items: readonly JsonObject[] };
    expect(items).toEqual([{ name: '' }, { name: '', port: 7 }, { name: '' }, { name: '' }]);
    expect(new Set(items).size).toBe(4);
    expect(() => codec.decode(bytes('0a000a'))).toThrow(DecodeError);
  });

  it('encodes maps sorted by key', () => {
    const codec = compileProtobuf(object({ m: { type: 'object', additionalProperties: text, tag: 1 } }));
    expect(hex(codec.encode({ m: { b: '2', a: '1' } }))).toBe('0a060a01611201310a060a0162120132');
    expect(codec.decode(bytes('0a060a0162120131'))).toEqual({ m: { b: '1' } });
  });

  it('supports formats that are embedded messages', () => {
    const codec = compileProtobuf(
      object({
        time: { ...text, format: 'date-time', tag: 1 },
        micro: { ...text, format: 'date-time-micro', tag: 2, optional: true },
        quantity: { ...text, format: 'quantity', tag: 3, optional: true },
        port: { intOrString: true, tag: 4, optional: true },
        raw: { type: 'object', format: 'raw-extension', tag: 5, optional: true },
        data: { ...text, format: 'byte', tag: 6 },
      }),
    );
    const value = {
      time: '1969-12-31T23:59:59Z',
      micro: '2024-01-02T03:04:05.000001Z',
      quantity: '1Gi',
      port: '10%',
      raw: { a: [1] },
      data: '/w==',
    };
    expect(codec.decode(codec.encode(value))).toEqual(value);
    expect(codec.decode(codec.encode({}))).toEqual({ time: null });
    expect(hex(codec.encode({ time: '0001-01-01T00:00:00Z' }))).toBe('0a00');
  });

  it('inlines fields of embedded messages', () => {
    const tag = (...path: number[]) => path as unknown as number;
    const codec = compileProtobuf(
      object({ a: { ...text, tag: 1 }, b: { ...text, tag: tag(2, 1) }, c: { ...text, tag: tag(2, 3, 1) } }),
    );
    expect(hex(codec.encode({ a: 'x', b: 'y', c: 'z' }))).toBe('0a01781208' + '0a01791a030a017a');
    expect(codec.decode(bytes('12080a01791a030a017a'))).toEqual({
      b: 'y',
      c: 'z',
    });
  });

  it('encodes named lists, and lists inside maps, as messages', () => {
    const list: Schema = { type: 'array', items: text };
    const codec = compileProtobuf(
      object({
        verbs: { ...list, typeName: 'x.Verbs', tag: 1 },
        extra: { type: 'object', additionalProperties: list, tag: 2 },
      }),
    );
    const value = { verbs: ['get'], extra: { a: ['1', '2'] } };
    expect(hex(codec.encode(value))).toBe('0a050a03676574' + '120b' + '0a016112060a01310a0132');
    expect(codec.decode(codec.encode(value))).toEqual(value);
  });

  it('encodes values of several shapes, and recursive types', () => {
    const properties: Record<string, Schema> = { title: { ...text, tag: 1 } };
    const self = object(properties);
    properties.more = {
      anyOf: [
        { type: 'boolean', tag: 1 },
        { ...self, tag: 2 },
      ],
      tag: 2,
      optional: true,
    };
    properties.items = {
      anyOf: [
        { ...self, tag: 1 },
        { type: 'array', items: self, tag: 2 },
      ],
      tag: 3,
      optional: true,
    };
    const codec = compileProtobuf(self);
    for (const value of [
      { title: 'a', more: false },
      { more: { title: 'b', more: true } },
      { items: [{ title: 'c' }, {}] },
      { items: { items: { title: 'd' } } },
    ] satisfies JsonObject[])
      expect(codec.decode(codec.encode(value))).toEqual(value);
    expect(hex(codec.encode({ title: 'a', more: { title: 'b' } }))).toBe(
      '0a0161' + '1207' + '0801' + '12030a0162',
    );
  });

  it('decodes packed numbers and skips unknown fields', () => {
    const codec = compileProtobuf(object({ n: { type: 'array', items: { type: 'integer' }, tag: 1 } }));
    expect(
      codec.decode(bytes('0a020102' + '0803' + '1205aabbccddee' + '1907070707070707071d01020304')),
    ).toEqual({ n: [1, 2, 3] });
  });

  it('decodes integers of 64 bits exactly', () => {
    const codec = compileProtobuf(object({ n: { type: 'integer', tag: 1 } }));
    for (const n of [-1, 2 ** 53 - 1, -9223372036854775808n, 9223372036854775807n])
      expect(codec.decode(codec.encode({ n }))).toEqual({ n });
  });

  it('rejects schemas without field numbers, and values of other types', () => {
    expect(() => compileProtobuf(object({ a: text })).encode({})).toThrow(
      'Thing.a has no Protobuf field number',
    );
    expect(() => compileProtobuf(object({ a: { ...text, tag: 1 } })).encode({ a: 1 })).toThrow(
      'expected string, not 1',
    );
  });

  it('rejects malformed bytes', () => {
    const codec = compileProtobuf(object({ name: { ...text, tag: 1 } }));
    expect(() => codec.decode(bytes('0a05'))).toThrow('unexpected EOF');
    expect(() => codec.decode(bytes('0801'))).toThrow('proto: wrong wireType = 0 for field Name');
    expect(() => codec.decode(bytes('00'))).toThrow('proto: Thing: illegal tag 0 (wire type 0)');
  });

  it('throws nothing but DecodeError on any bytes', () => {
    const codec = compileProtobuf(objectMetaSchema);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (data) => {
        try {
          codec.decode(data);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('round-trips metadata', () => {
    const codec = compileProtobuf(objectMetaSchema);
    const word = fc.string({ minLength: 1, unit: 'grapheme' });
    const metadata = fc.record(
      {
        name: word,
        uid: word,
        generation: fc.integer({ min: 1 }),
        labels: fc.dictionary(word, fc.string(), { minKeys: 1, noNullPrototype: true }),
        finalizers: fc.array(word, { minLength: 1 }),
        deletionGracePeriodSeconds: fc.integer(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(metadata, (value) => {
        expect(codec.decode(codec.encode(value as JsonObject))).toEqual({
          ...value,
          creationTimestamp: null,
        });
      }),
    );
  });
});
