import { deepFreeze, type JsonObject, type JsonValue, type Schema } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { PatchError } from '../errors/patch-error.ts';
import { applyStrategicMergePatch, decodeStrategicMergePatch } from './strategic-merge-patch.ts';

const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  typeName: 'example.v1.Thing',
  properties: {
    labels: { type: 'object', additionalProperties: text },
    spec: { type: 'object', properties: { size: { type: 'integer' } } },
    finalizers: { type: 'array', items: text, patchStrategy: 'merge' },
    taints: { type: 'array', items: { type: 'object' } },
    parts: {
      type: 'array',
      patchStrategy: 'merge',
      patchMergeKey: 'name',
      items: { type: 'object', typeName: 'example.v1.Part', properties: { name: text, image: text } },
    },
  },
};

const apply = (original: JsonObject, patch: JsonObject): JsonObject =>
  applyStrategicMergePatch(deepFreeze(original), deepFreeze(patch), schema);

const named = (...names: string[]): JsonValue => names.map((name) => ({ name }));

describe('fields', () => {
  it('merges objects, deletes by null, replaces plain lists', () => {
    expect(
      apply(
        { labels: { a: '1', b: '2' }, taints: [{ k: 1 }] },
        { labels: { b: null, c: '3' }, taints: [{ k: 2 }] },
      ),
    ).toEqual({
      labels: { a: '1', c: '3' },
      taints: [{ k: 2 }],
    });
  });

  it('merges lists of objects by merge key and lists of scalars as sets', () => {
    expect(
      apply({ parts: [{ name: 'a', image: '1' }, { name: 'b' }] }, { parts: [{ name: 'a', image: '2' }] }),
    ).toEqual({
      parts: [{ name: 'a', image: '2' }, { name: 'b' }],
    });
    expect(apply({ finalizers: ['a', 'b'] }, { finalizers: ['b', 'c'] })).toEqual({
      finalizers: ['a', 'b', 'c'],
    });
  });

  it('returns the original itself if nothing changes', () => {
    const original = { labels: { a: '1' }, parts: [{ name: 'a', image: '1' }], finalizers: ['x'] };
    expect(
      apply(original, { labels: { a: '1' }, parts: [{ name: 'a', image: '1' }], finalizers: ['x'] }),
    ).toBe(original);
  });
});

describe('order', () => {
  it('puts new items before the remaining live items', () => {
    expect(apply({ parts: named('a', 'b') }, { parts: named('c') })).toEqual({ parts: named('c', 'a', 'b') });
    expect(apply({ parts: named('three', 'one', 'two') }, { parts: named('two', 'zero') })).toEqual({
      parts: named('three', 'one', 'two', 'zero'),
    });
  });

  it('follows $setElementOrder', () => {
    const patch = { '$setElementOrder/parts': named('b', 'c', 'a'), parts: named('c') };
    expect(apply({ parts: named('a', 'b', 'x') }, patch)).toEqual({ parts: named('b', 'c', 'a', 'x') });
    expect(apply({ finalizers: ['a', 'b'] }, { '$setElementOrder/finalizers': ['b', 'a'] })).toEqual({
      finalizers: ['b', 'a'],
    });
  });
});

describe('directives', () => {
  it('$patch replaces or empties a map, and is dropped with a missing map', () => {
    expect(apply({ labels: { a: '1' } }, { labels: { $patch: 'replace', b: '2' } })).toEqual({
      labels: { b: '2' },
    });
    expect(apply({ labels: { a: '1' } }, { labels: { $patch: 'delete', b: '2' } })).toEqual({ labels: {} });
    expect(apply({ labels: { a: '1' } }, { $patch: 'replace', spec: {} })).toEqual({ spec: {} });
    expect(apply({}, { labels: { $patch: 'replace', b: '2' } })).toEqual({});
  });

  it('$patch deletes items, or replaces the list by the other items', () => {
    expect(
      apply(
        { parts: named('a', 'b') },
        {
          parts: [
            { $patch: 'delete', name: 'a' },
            { $patch: 'delete', name: 'z' },
          ],
        },
      ),
    ).toEqual({
      parts: named('b'),
    });
    expect(apply({ parts: named('a', 'b') }, { parts: [{ $patch: 'replace' }, { name: 'c' }] })).toEqual({
      parts: named('c'),
    });
  });

  it('$deleteFromPrimitiveList removes scalars', () => {
    expect(
      apply({ finalizers: ['a', 'b', 'c'] }, { '$deleteFromPrimitiveList/finalizers': ['c', 'a'] }),
    ).toEqual({
      finalizers: ['b'],
    });
  });

  it('$retainKeys clears the other keys', () => {
    expect(apply({ labels: { a: '1', b: '2' } }, { labels: { $retainKeys: ['b', 'c'], c: '3' } })).toEqual({
      labels: { b: '2', c: '3' },
    });
    expect(apply({ labels: { a: '1' } }, { labels: { $retainKeys: [] } })).toEqual({ labels: {} });
  });
});

describe('invalid patches', () => {
  const original = { parts: named('one', 'two'), finalizers: ['a'], labels: { a: '1' } };

  it.each<[JsonObject, string]>([
    [{ $patch: 'merge', labels: {} }, 'unknown patch type: merge in map: map[$patch:merge labels:map[]]'],
    [{ labels: { $patch: 1 } }, 'unknown patch type: %!s(int64=1) in map: map[$patch:1]'],
    [{ parts: [{ $patch: 'merge', name: 'a' }] }, 'merging lists cannot yet be specified in the patch'],
    [{ parts: [{ image: 'x' }] }, 'map: map[image:x] does not contain declared merge key: name'],
    [{ parts: ['x'] }, 'list element types are not identical: [[map[name:one] map[name:two]] [x]]'],
    [{ labels: { $retainKeys: ['a'], b: '1' } }, 'invalid patch format of retainKeys'],
    [{ labels: { $retainKeys: 'a' } }, 'invalid patch format of retainKeys'],
    [{ $deleteFromPrimitiveListfinalizers: ['a'] }, 'invalid patch format of primitive list'],
    [{ '$setElementOrder/finalizers': 'a' }, 'expected a []interface {}, but received a string'],
    [{ '$setElementOrder/finalizers': null }, 'expected a []interface {}, but received a %!s(<nil>)'],
    [
      { '$setElementOrder/parts': named('one'), parts: named('two') },
      "The order in patch list:\n[map[name:two]]\n doesn't match $setElementOrder list:\n[map[name:one]]\n",
    ],
    [{ '$setElementOrder/x': [] }, 'unable to find api field in struct Thing for the json field "x"'],
  ])('%j', (patch, message) => {
    expect(() => apply(original, patch)).toThrow(expect.objectContaining({ kind: 'bad-request', message }));
  });

  it('rejects lists of lists with an error of their own', () => {
    expect(() => apply({ finalizers: [] }, { finalizers: [['a']] })).toThrow(
      new PatchError('unprocessable', 'lists of lists are not supported'),
    );
  });

  it('rejects bodies that are not objects, except null', () => {
    expect(decodeStrategicMergePatch(null)).toEqual({});
    expect(() => decodeStrategicMergePatch([])).toThrow(
      'json: cannot unmarshal array into Go value of type map[string]interface {}',
    );
  });
});
