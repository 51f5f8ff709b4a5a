import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ObjectCodec, ObjectRecord } from './object-record.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const codec: ObjectCodec = {
  encode: (object) => encoder.encode(JSON.stringify(object)),
  decode: (bytes) => JSON.parse(decoder.decode(bytes)),
};
const record = (text: string, revision = 7): ObjectRecord =>
  new ObjectRecord('/k', revision, encoder.encode(text), codec);
const json = (text: string): string => decoder.decode(record(text).json);
const item = (text: string): string => decoder.decode(record(text).listItem(false).subarray(1));

describe('JSON of a record', () => {
  test('has its resource version after the uid', () => {
    const text =
      '{"kind":"A","apiVersion":"v1","metadata":{"name":"a","uid":"u","labels":{}},"spec":{"uid":"x"}}';
    expect(json(text)).toBe(text.replace('"uid":"u"', '"uid":"u","resourceVersion":"7"'));
    expect(item(text)).toBe(
      '{"metadata":{"name":"a","uid":"u","resourceVersion":"7","labels":{}},"spec":{"uid":"x"}}',
    );
  });

  test('has it first in metadata without uid', () => {
    expect(json('{"kind":"A","apiVersion":"v1","metadata":{"name":"a"}}')).toBe(
      '{"kind":"A","apiVersion":"v1","metadata":{"resourceVersion":"7","name":"a"}}',
    );
    expect(json('{"metadata":{}}')).toBe('{"metadata":{"resourceVersion":"7"}}');
    expect(item('{"metadata":{}}')).toBe('{"metadata":{"resourceVersion":"7"}}');
  });

  test('is not misled by other uids, quotes and braces', () => {
    const text =
      '{"apiVersion":"v1","kind":"A","metadata":{"name":"\\"uid\\":\\"","annotations":{"uid":"}\\\\"},"ownerReferences":[{"uid":"o"}],"uid":"u"}}';
    expect(json(text)).toBe(`${text.slice(0, -'"uid":"u"}}'.length)}"resourceVersion":"7","uid":"u"}}`);
  });

  test('finds metadata after other members', () => {
    const text = '{ "spec" : [ 1, {"metadata":{}} ], "kind":"A", "metadata": { "uid": "u" } }';
    expect(JSON.parse(json(text))).toEqual({
      spec: [1, { metadata: {} }],
      kind: 'A',
      metadata: { uid: 'u', resourceVersion: '7' },
    });
  });

  test.each(['', '[]', '{}', '{"metadata":1}', '{"metadata"', '{"a":"', '"x"'])('rejects %j', (text) => {
    expect(() => json(text)).toThrow('not a JSON object with metadata');
  });

  test('equals the object, for any content', () => {
    const metadata = fc.record(
      { name: fc.string(), annotations: fc.dictionary(fc.string(), fc.string()), uid: fc.string() },
      { requiredKeys: [] },
    );
    const object = fc.record({
      kind: fc.string(),
      apiVersion: fc.string(),
      metadata,
      spec: fc.jsonValue(),
      zed: fc.jsonValue(),
    });
    fc.assert(
      fc.property(object, fc.boolean(), fc.nat(), (value, pretty, revision) => {
        const made = record(JSON.stringify(value, null, pretty ? 2 : 0), revision);
        expect(JSON.stringify(JSON.parse(decoder.decode(made.json)))).toBe(JSON.stringify(made.object));
        const { kind: _, apiVersion: __, ...rest } = made.object;
        expect(JSON.stringify(JSON.parse(decoder.decode(made.listItem(false).subarray(1))))).toBe(
          JSON.stringify(rest),
        );
        expect(decoder.decode(made.listItem(true))).toBe(
          `,{${decoder.decode(made.json).trimStart().slice(1)}`,
        );
        for (const named of [true, false])
          expect(made.listItemLength(named)).toBe(made.listItem(named).length);
        const { metadata } = made.object;
        expect(JSON.stringify(JSON.parse(decoder.decode(made.metadataJson)))).toBe(JSON.stringify(metadata));
      }),
    );
  });

  test('can be reduced to its metadata', () => {
    const text =
      '{"kind":"A","apiVersion":"v1","metadata":{"name":"}","uid":"u","labels":{"b":"c"}},"spec":{"metadata":{}}}';
    expect(decoder.decode(record(text).metadataJson)).toBe(
      '{"name":"}","uid":"u","resourceVersion":"7","labels":{"b":"c"}}',
    );
  });
});

describe('a record that is not decoded', () => {
  const text =
    '{"kind":"A","apiVersion":"g/v1","metadata":{"name":"a","labels":{"finalizers":"x"},"uid":"u"},"spec":{"kind":"B"}}';
  const has = (name: string): boolean => record(text).hasMetadata([encoder.encode(name)]);

  test('tells its type', () => {
    expect(record(text).type).toEqual({ apiVersion: 'g/v1', kind: 'A' });
    expect(record('{"metadata":{"kind":"B"}}').type).toEqual({ apiVersion: '', kind: '' });
  });

  test('tells which members its metadata has', () => {
    expect([has('name'), has('uid'), has('finalizers'), has('kind')]).toEqual([true, true, false, false]);
    expect(record('{"metadata":{}}').hasMetadata([encoder.encode('name')])).toBe(false);
    expect(() => record('{}').hasMetadata([])).toThrow(TypeError);
  });
});

describe('peek', () => {
  test('returns the cached object, or a temporary one', () => {
    const made = record('{"metadata":{"uid":"u"}}');
    expect(made.decode()).not.toBe(made.decode());
    expect(made.decode()).toEqual(made.object);
    expect(made.decode()).toBe(made.object);
  });
});
