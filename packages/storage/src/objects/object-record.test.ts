import { type ApiObject, runAtOnce, valueAt } from '@ashlar/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ObjectCodec, ObjectRecord } from './object-record.ts';
import { UnreadableObjectError } from './unreadable-object.ts';
import { freezeWrittenSteps } from './written-object.ts';

const codec: ObjectCodec = {
  encode: (object) => new TextEncoder().encode(JSON.stringify(object)),
  decode: (bytes) => JSON.parse(new TextDecoder().decode(bytes)) as ApiObject,
};

const recordOf = (): ObjectRecord =>
  new ObjectRecord(
    '/things/a',
    7,
    codec.encode({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', uid: 'u' } }),
    codec,
  );

describe('a part of a record', () => {
  const text =
    '{"kind":"A","metadata":{"name":"a"}, "spec" : {"items":["{\\"size\\":1}",{"size":2}], "size" : "b\\"}" ,"__proto__":{"a":1}},"list":[1]}';
  const record = new ObjectRecord('/k', 7, new TextEncoder().encode(text), codec);

  it.each([
    [['spec', 'size'], '{"spec":{"size":"b\\"}"}}'],
    [['spec', 'none', 'more'], '{"spec":{}}'],
    [['spec', '__proto__', 'a'], '{"spec":{"__proto__":{"a":1}}}'],
    [['none', 'size'], '{}'],
    [['list', 'size'], '{"list":[1]}'],
    [['spec', 'size', 'more'], '{"spec":{"size":"b\\"}"}}'],
    [['kind'], '{"kind":"A"}'],
  ])('at %j is what leads there', (path, part) => {
    expect(JSON.stringify(record.part(path))).toBe(part);
  });

  it.each(['', '[]', '{"spec":{"size":"b', '{"spec":{"size":}}'])('of %j cannot be read', (broken) => {
    const unreadable = new ObjectRecord('/k', 7, new TextEncoder().encode(broken), codec);
    expect(() => unreadable.part(['spec', 'size'])).toThrow(UnreadableObjectError);
  });
});

describe('a record with blanks behind its object', () => {
  it.each([' ', '\n', ' \n\t'])('is shown without %j', (blanks) => {
    const { key, revision, stored, json, listItem } = recordOf();
    const spaced = new TextEncoder().encode(new TextDecoder().decode(stored) + blanks);
    const record = new ObjectRecord(key, revision, spaced, codec);
    expect(record.json).toEqual(json);
    expect(record.listItem(true)).toEqual(listItem.call(recordOf(), true));
    expect(record.listItemLength(true)).toBe(record.listItem(true).length);
    expect(record.stored).toBe(spaced);
  });
});

describe('a superseded record', () => {
  it('keeps what was created for current receivers, and creates it anew for later ones', async () => {
    const record = recordOf();
    const { object } = record;
    let made = 0;
    const memo = () => record.memo('size', () => ++made);
    memo();
    record.supersede();
    expect(record.object).toBe(object);
    expect(memo()).toBe(1);
    await Promise.resolve();
    expect(record.object).not.toBe(object);
    expect(record.object).toEqual(object);
    expect(memo()).toBe(2);
  });
});

describe('a record that is decoded in steps', () => {
  it('has the same object, frozen, and is not decoded later', () => {
    const { key, revision, stored, object } = recordOf();
    let decoded = 0;
    const steps: ObjectCodec = {
      ...codec,
      decode: () => {
        throw new TypeError('decoded at once');
      },
      *decodeSteps(bytes) {
        decoded++;
        yield;
        return codec.decode(bytes);
      },
    };
    const record = new ObjectRecord(key, revision, stored, steps);
    const loading = record.loadSteps();
    expect([loading.next().done, decoded]).toEqual([false, 1]);
    runAtOnce(loading);
    expect(record.object).toEqual(object);
    expect(Object.isFrozen(record.object.metadata)).toBe(true);
    runAtOnce(record.loadSteps());
    expect([runAtOnce(record.decodeSteps()) === record.object, decoded]).toEqual([true, 1]);
  });

  it('keeps an object that was decoded meanwhile', () => {
    const record = recordOf();
    const loading = record.loadSteps();
    loading.next();
    const { object } = record;
    runAtOnce(loading);
    expect(record.object).toBe(object);
  });
});

describe('ObjectRecord.is', () => {
  it('recognises the records of another copy of the package', async () => {
    const { key, revision, stored } = recordOf();
    vi.resetModules();
    const other = await import('./object-record.ts');
    const record = new other.ObjectRecord(key, revision, stored, codec);
    expect(record instanceof ObjectRecord).toBe(false);
    expect([ObjectRecord.is(record), other.ObjectRecord.is(recordOf())]).toEqual([true, true]);
  });

  it.each([undefined, null, 'text', {}, { stored: new Uint8Array() }])('rejects %s', (value) => {
    expect(ObjectRecord.is(value)).toBe(false);
  });
});

describe('a record of an object that was just written', () => {
  const written = (extra: object): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'a', uid: 'u', resourceVersion: '3', labels: { a: 'b' } },
    ...extra,
  });
  const without = (object: ApiObject): ApiObject => {
    const { resourceVersion: _, ...metadata } = object.metadata;
    return { ...object, metadata };
  };

  function remembering(object: ApiObject): { record: ObjectRecord; decoded: () => number } {
    const decode = vi.fn(codec.decode);
    const record = new ObjectRecord('/things/a', 7, codec.encode(without(object)), { ...codec, decode });
    record.remember(object);
    return { record, decoded: () => decode.mock.calls.length };
  }

  it('is not decoded, has its own resource version in the place of the others, and is frozen', () => {
    const { record, decoded } = remembering(written({ spec: { items: [{ a: 1 }] } }));
    expect(JSON.stringify(record.object)).toBe(new TextDecoder().decode(record.json));
    expect(record.object.metadata.resourceVersion).toBe('7');
    expect(() => (record.object as unknown as { spec: { items: object[] } }).spec.items.push({})).toThrow();
    expect(decoded()).toBe(0);
  });

  it('is known as long as the garbage collector leaves it, whoever asks for it', () => {
    let isThere = true;
    class Reference {
      readonly #object: object;

      constructor(object: object) {
        this.#object = object;
      }

      deref(): object | undefined {
        return isThere ? this.#object : undefined;
      }
    }
    vi.stubGlobal('WeakRef', Reference);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { record, decoded } = remembering(written({}));
    expect(record.known).toMatchObject({ metadata: { name: 'a' } });
    isThere = false;
    expect(record.known).toBeUndefined();
    expect([record.object.metadata.name, decoded()]).toEqual(['a', 1]);
    expect(record.known).toBe(record.object);
  });

  it('is decoded if it was written with values that are read otherwise', () => {
    for (const odd of [{ spec: undefined }, { spec: { at: new Date(0) } }, { spec: 'x'.repeat(20_000) }]) {
      const { record, decoded } = remembering(written(odd));
      expect(record.object).toEqual(new ObjectRecord('/things/a', 7, record.stored, codec).object);
      expect(decoded()).toBe(1);
    }
  });

  const large = { lists: Array.from({ length: 3_000 }, (_, i) => [`x${i}`, null]) };

  it('is not decoded if it is large and was frozen in steps before, not even to load it', () => {
    const object = written(large);
    const freezing = freezeWrittenSteps(object);
    expect(freezing.next().done).toBe(false);
    expect(Object.isFrozen(object)).toBe(false);
    runAtOnce(freezing);
    const { record, decoded } = remembering(object);
    expect(runAtOnce(record.decodeSteps())).toBe(record.object);
    runAtOnce(record.loadSteps());
    expect(JSON.stringify(record.object)).toBe(new TextDecoder().decode(record.json));
    expect(Object.isFrozen(valueAt(record.object, ['lists', '0']))).toBe(true);
    expect(decoded()).toBe(0);
  });

  it('is decoded if it is large and has values that are read otherwise, whatever was frozen of it before', () => {
    const object = written({ odd: { at: undefined }, ...large });
    for (let attempt = 0; attempt < 2; attempt++) runAtOnce(freezeWrittenSteps(object));
    const { record, decoded } = remembering(object);
    expect(record.object).toEqual(new ObjectRecord('/things/a', 7, record.stored, codec).object);
    expect(decoded()).toBe(1);
  });
});
