import { deepFreeze, type JsonObject, type JsonValue, jsonEqual, runAtOnce, type Schema } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { encodeFieldSet } from '../fieldpath/field-set-codec.ts';
import { mergeTyped } from '../merge/merge-typed.ts';
import { compareTyped } from './compare-typed.ts';
import { compileFieldType, compileKindFieldType, DEDUCED } from './field-type.ts';
import { reconcileFieldSet } from './reconcile-field-set.ts';
import { removeItems } from './remove-typed.ts';
import { fieldSetOf } from './typed-field-set.ts';
import { validateTyped } from './validate-typed.ts';

const text: Schema = { type: 'string' };
const number: Schema = { type: 'integer' };
const schema: Schema = {
  type: 'object',
  properties: {
    text,
    number,
    frozen: { type: 'object', mapType: 'atomic', properties: { a: text } },
    labels: { type: 'object', additionalProperties: text },
    list: { type: 'array', items: text },
    set: { type: 'array', listType: 'set', items: text },
    ports: {
      type: 'array',
      listType: 'map',
      listMapKeys: ['port', 'protocol'],
      items: {
        type: 'object',
        properties: { port: number, protocol: { ...text, default: 'TCP' }, name: text },
      },
    },
    free: { type: 'object', preserveUnknownFields: true },
  },
};
const type = compileFieldType(schema);

const fields = (set: FieldSet): JsonObject => encodeFieldSet(set);
const fieldsOf = (value: JsonValue): JsonObject => fields(fieldSetOf(deepFreeze(value), type));
const merge = (live: JsonValue, config: JsonValue): JsonValue =>
  mergeTyped(deepFreeze(live), deepFreeze(config), type);

describe('the fields of a value', () => {
  it('are its leaves, items and keys of maps, and objects that are empty', () => {
    const value = {
      text: 'x',
      frozen: { a: '1' },
      labels: { a: '1' },
      list: ['a'],
      set: ['a'],
      ports: [{ port: 80, name: 'a' }],
      free: { deep: { x: [1] }, none: {} },
    };
    expect(fieldsOf(value)).toEqual({
      'f:free': { 'f:deep': { '.': {}, 'f:x': {} }, 'f:none': {} },
      'f:frozen': {},
      'f:labels': { 'f:a': {} },
      'f:list': {},
      'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } },
      'f:set': { 'v:"a"': {} },
      'f:text': {},
    });
    expect(fieldsOf({ labels: {}, set: [], list: [], text: null, ports: null })).toEqual({
      'f:labels': {},
      'f:list': {},
      'f:ports': {},
      'f:text': {},
    });
  });

  it('include metadata for every kind', () => {
    const kind = compileKindFieldType({ type: 'object', properties: { spec: schema } });
    const object = { metadata: { finalizers: ['x'], ownerReferences: [{ uid: 'u', name: 'n' }] } };
    expect(fields(fieldSetOf(object, kind))).toEqual({
      'f:metadata': { 'f:finalizers': { 'v:"x"': {} }, 'f:ownerReferences': { 'k:{"uid":"u"}': {} } },
    });
  });
});

describe('validation', () => {
  it.each<[JsonValue, string]>([
    [{ nope: 1 }, '.nope: field not declared in schema'],
    [{ number: 'x' }, '.number: expected numeric (int or float), got string'],
    [{ labels: 'x' }, '.labels: expected map, got &{x}'],
    [{ list: {} }, '.list: expected list, got &{map[]}'],
    [{ text: 1 }, '.text: expected string, got &value.valueUnstructured{Value:1}'],
    [{ set: ['x', 'x'] }, '.set: duplicate entries for key [="x"]'],
    [
      { set: [null] },
      ".set: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      { ports: [{}] },
      '.ports: element 0: associative list with keys has an element that omits key field "port" (and doesn\'t have default value)',
    ],
    [{ ports: [null] }, '.ports: element 0: associative list with keys may not have a null element'],
  ])('of %j: %s', (value, error) => {
    expect(validateTyped(value, type)).toEqual([error]);
  });

  it('takes 0 for a number that is always printed, and a key', () => {
    const port: Schema = { type: 'integer', alwaysPrinted: true };
    const items: Schema = { type: 'object', properties: { port } };
    const list: Schema = { type: 'array', listType: 'map', listMapKeys: ['port'], items };
    const ports = compileFieldType({ type: 'object', properties: { ports: list } });
    expect(validateTyped({ ports: [{}] }, ports)).toEqual([]);
    expect(validateTyped({ ports: [{}, { port: 0 }] }, ports)).toEqual([
      '.ports: duplicate entries for key [port=0]',
    ]);
  });

  it('allows no unknown metadata in an object, although its other unknown fields are preserved', () => {
    const embedded = compileFieldType({
      type: 'object',
      embeddedResource: true,
      preserveUnknownFields: true,
    });
    expect(validateTyped({ kind: 'K', metadata: { name: 'a' }, spec: 1 }, embedded)).toEqual([]);
    expect(validateTyped({ kind: 'K', metadata: { name: 'a', spec: 1 } }, embedded)).toEqual([
      '.metadata.spec: field not declared in schema',
    ]);
  });

  it('allows duplicates in stored values, and limits depth', () => {
    expect(validateTyped({ set: ['x', 'x'] }, type, { allowDuplicates: true })).toEqual([]);
    let deep: JsonValue = {};
    for (let depth = 0; depth < 50_000; depth++) deep = { a: deep };
    expect(validateTyped({ free: deep }, type)).toEqual([expect.stringContaining('exceeded max depth')]);
  });
});

describe('merging', () => {
  it('merges the fields of the configuration and keeps the rest', () => {
    expect(
      merge({ text: 'a', labels: { a: '1' }, list: ['a'] }, { text: 'b', labels: { b: '2' }, list: ['b'] }),
    ).toEqual({
      text: 'b',
      labels: { a: '1', b: '2' },
      list: ['b'],
    });
    expect(merge({ labels: { a: '1' } }, { labels: {} })).toEqual({ labels: { a: '1' } });
    expect(merge({ labels: {} }, { labels: null })).toEqual({ labels: null });
  });

  it('sorts items as the configuration does, and others next to their neighbours', () => {
    expect(merge({ set: ['a', 'b', 'c'] }, { set: ['c', 'a'] })).toEqual({ set: ['b', 'c', 'a'] });
    expect(merge({ set: ['a', 'b'] }, { set: ['c', 'b'] })).toEqual({ set: ['a', 'c', 'b'] });
  });

  it('replaces duplicates of the live list', () => {
    const live = { ports: [{ port: 1, name: 'a' }, { port: 1, name: 'b' }, { port: 2 }] };
    expect(merge(live, { ports: [{ port: 1 }] })).toEqual({ ports: [{ port: 1 }, { port: 2 }] });
  });

  it('returns the live value itself if nothing changes', () => {
    const live = { text: 'a', labels: { a: '1' }, set: ['a', 'b'], ports: [{ port: 1 }] };
    expect(merge(live, { labels: { a: '1' }, set: ['a'], ports: [{ port: 1 }] })).toBe(live);
  });
});

describe('comparing', () => {
  it('reports additions, changes and removals, in any order of items', () => {
    const before = { text: 'a', set: ['a', 'b'], ports: [{ port: 1, name: 'a' }], labels: { a: '1' } };
    const after = { number: 1, set: ['b', 'a'], ports: [{ port: 1, name: 'b' }] };
    const { added, modified, removed } = compareTyped(before, after, type);
    expect(fields(added)).toEqual({ 'f:number': {} });
    expect(fields(modified)).toEqual({ 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': { 'f:name': {} } } });
    expect(fields(removed)).toEqual({ 'f:labels': { '.': {}, 'f:a': {} }, 'f:text': {} });
  });
});

describe('a schema that changed', () => {
  it('makes owners of a part of what is now atomic own all of it', () => {
    const granular = fieldSetOf({ labels: { a: '1' }, set: ['x'] }, type);
    const atomic = compileFieldType({
      type: 'object',
      properties: {
        labels: { type: 'object', mapType: 'atomic', additionalProperties: text },
        set: { type: 'array', items: text },
      },
    });
    expect(fields(runAtOnce(reconcileFieldSet(granular, atomic)))).toEqual({ 'f:labels': {}, 'f:set': {} });
    expect(runAtOnce(reconcileFieldSet(granular, type))).toBe(granular);
  });
});

describe('any values', () => {
  const word = fc.constantFrom('a', 'b', 'c');
  const value = fc.record(
    {
      text: fc.option(word),
      number: fc.integer({ min: 0, max: 3 }),
      frozen: fc.record({ a: word }, { requiredKeys: [] }),
      labels: fc.option(fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), word, { maxKeys: 3 })),
      list: fc.array(word, { maxLength: 3 }),
      set: fc.uniqueArray(word, { maxLength: 3 }),
      ports: fc.uniqueArray(
        fc.record({ port: fc.integer({ min: 0, max: 2 }), name: word }, { requiredKeys: ['port'] }),
        {
          selector: ({ port }) => port,
          maxLength: 3,
        },
      ),
      free: fc.dictionary(word, fc.oneof(word, fc.array(word), fc.dictionary(word, word)), { maxKeys: 3 }),
    },
    { requiredKeys: [] },
  ) as unknown as fc.Arbitrary<JsonObject>;

  it('change only where the configuration names them, and not again', () => {
    fc.assert(
      fc.property(value, value, (live, config) => {
        // An empty list names nothing, not even itself.
        fc.pre(![config.set, config.ports].some((list) => Array.isArray(list) && list.length === 0));
        const merged = merge(live, config);
        const { modified, added, removed } = compareTyped(live, merged, type);
        const named = fieldSetOf(config, type);
        return (
          removed.recursiveDifference(named).isEmpty &&
          modified.union(added).leaves().difference(named).isEmpty &&
          merge(merged, config) === merged
        );
      }),
    );
  });

  it('are equal exactly if no difference is reported', () => {
    fc.assert(
      fc.property(value, value, (before, after) => {
        const forth = compareTyped(deepFreeze(before), deepFreeze(after), type);
        const back = compareTyped(after, before, type);
        return (
          forth.added.equals(back.removed) &&
          forth.removed.equals(back.added) &&
          forth.modified.equals(back.modified)
        );
      }),
    );
  });

  it('are not changed by a second removal, and stay valid', () => {
    fc.assert(
      fc.property(value, value, (whole, part) => {
        const removed = fieldSetOf(part, type);
        const left = deepFreeze(removeItems(deepFreeze(whole), removed, type));
        return validateTyped(left, type).length === 0 && jsonEqual(removeItems(left, removed, type), left);
      }),
    );
  });

  it('are compared and merged without a schema too', () => {
    const any = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
    const root = fc.dictionary(word, any) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(root, root, (live, config) => {
        if (validateTyped(live, DEDUCED).length > 0) return false;
        const merged = mergeTyped(deepFreeze(live), deepFreeze(config), DEDUCED);
        return mergeTyped(deepFreeze(merged), config, DEDUCED) === merged;
      }),
    );
  });
});
