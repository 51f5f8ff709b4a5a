import type { JsonObject, Schema } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createThreeWayMergePatch, createTwoWayMergePatch } from './create-strategic-merge-patch.ts';

const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    strategy: {
      type: 'object',
      patchStrategy: 'retainKeys',
      properties: { type: text, rolling: { type: 'object' } },
    },
    finalizers: { type: 'array', items: text, patchStrategy: 'merge' },
    parts: {
      type: 'array',
      patchStrategy: 'merge',
      patchMergeKey: 'name',
      items: { type: 'object', properties: { name: text, image: text } },
    },
  },
};

describe('createTwoWayMergePatch', () => {
  it('deletes items of merged lists by directive and orders the rest', () => {
    const original = { parts: [{ name: 'a', image: '1' }, { name: 'b' }] };
    const modified = { parts: [{ name: 'c' }, { name: 'a', image: '2' }] };
    expect(createTwoWayMergePatch(original, modified, schema)).toEqual({
      '$setElementOrder/parts': [{ name: 'c' }, { name: 'a' }],
      parts: [{ name: 'c' }, { image: '2', name: 'a' }, { name: 'b', $patch: 'delete' }],
    });
  });

  it('deletes scalars of merged lists in a parallel list', () => {
    expect(createTwoWayMergePatch({ finalizers: ['a', 'b'] }, { finalizers: ['b', 'c'] }, schema)).toEqual({
      '$deleteFromPrimitiveList/finalizers': ['a'],
      '$setElementOrder/finalizers': ['b', 'c'],
      finalizers: ['c'],
    });
  });

  it('lists retained keys if the strategy requires it', () => {
    const original = { strategy: { type: 'A', rolling: {} } };
    expect(createTwoWayMergePatch(original, { strategy: { type: 'B' } }, schema)).toEqual({
      strategy: { $retainKeys: ['type'], rolling: null, type: 'B' },
    });
    expect(createTwoWayMergePatch(original, original, schema)).toEqual({});
  });
});

describe('createThreeWayMergePatch', () => {
  const original = { replicas: 1, finalizers: ['a'] };
  const modified = { replicas: 2 };
  const create = (current: JsonObject, overwrite: boolean) =>
    createThreeWayMergePatch(original, modified, current, schema, { overwrite });

  it('sets wanted fields and removes those applied before', () => {
    expect(create({ replicas: 1, finalizers: ['a'], other: 1 }, false)).toEqual({
      replicas: 2,
      finalizers: null,
    });
  });

  it('does not overwrite changes of another client by default', () => {
    const current = { replicas: 3, finalizers: ['a'] };
    expect(create(current, true)).toEqual({ replicas: 2, finalizers: null });
    expect(() => create(current, false)).toThrow(expect.objectContaining({ kind: 'conflict' }));
    expect(() => create(current, false)).toThrow('conflicts with changes made from original to current');
  });
});
