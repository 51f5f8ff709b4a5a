import type { JsonObject, JsonValue, Schema, Steps } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyJsonPatch, applyJsonPatchSteps } from '../json-patch/apply-json-patch.ts';
import {
  decodeJsonPatchSteps,
  type JsonPatchOperation,
  strictJsonPatchFindings,
  strictJsonPatchFindingsSteps,
} from '../json-patch/decode-json-patch.ts';
import { applyMergePatch, applyMergePatchSteps } from '../merge-patch/merge-patch.ts';
import {
  applyStrategicMergePatch,
  applyStrategicMergePatchSteps,
} from '../strategic/strategic-merge-patch.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

function countPauses(steps: Steps<unknown>): number {
  let pauses = 0;
  while (!steps.next().done) pauses++;
  return pauses;
}

describe('operations on a long list', () => {
  const index = fc.integer({ min: -3100, max: 3100 });
  const operation = fc.oneof(
    fc.record({ op: fc.constant('add'), path: index.map((i) => `/list/${i}`), value: fc.integer() }),
    fc.record({ op: fc.constant('add'), path: fc.constant('/list/-'), value: fc.integer() }),
    fc.record({ op: fc.constant('remove'), path: index.map((i) => `/list/${i}`) }),
    fc.record({ op: fc.constant('replace'), path: index.map((i) => `/list/${i}`), value: fc.integer() }),
    fc.record({
      op: fc.constant('move'),
      from: index.map((i) => `/list/${i}`),
      path: index.map((i) => `/list/${i}`),
    }),
    fc.record({
      op: fc.constant('copy'),
      from: index.map((i) => `/list/${i}`),
      path: fc.constantFrom('/list/-', '/list/0', '/list/-1'),
    }),
  );

  /** The same on a list that is changed in place; undefined if an index is outside. */
  function expected(list: number[], operations: readonly Record<string, unknown>[]): number[] | undefined {
    const at = (path: unknown, size: number): number | undefined => {
      const text = String(path).slice('/list/'.length);
      const place = text === '-' ? size - 1 : Number(text) + (Number(text) < 0 ? size : 0);
      return place >= 0 && place < size ? place : undefined;
    };
    for (const { op, path, from, value } of operations) {
      let moved = value as number;
      if (from !== undefined) {
        const source = at(from, list.length);
        if (source === undefined) return undefined;
        moved = list[source] as number;
        if (op === 'move') list.splice(source, 1);
      }
      const target = at(path, op === 'remove' || op === 'replace' ? list.length : list.length + 1);
      if (target === undefined) return undefined;
      if (op === 'remove') list.splice(target, 1);
      else list.splice(target, op === 'replace' ? 1 : 0, moved);
    }
    return list;
  }

  it('have the same result as on a short one', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const wanted = expected(numbers(3000), operations);
        const apply = () => applyJsonPatch({ list: numbers(3000) }, operations as JsonPatchOperation[]);
        if (wanted) expect(apply()).toEqual({ list: wanted });
        else expect(apply).toThrow(/invalid index referenced|missing key/);
      }),
    );
  });

  it('do not change the document', () => {
    const list = Object.freeze(numbers(5000));
    const patch = numbers(3000).map((i) => ({ op: 'add', path: '/list/0', value: i }));
    const { list: patched } = applyJsonPatch({ list }, patch) as { list: number[] };
    expect(patched).toHaveLength(8000);
    expect(patched.slice(2998, 3003)).toEqual([1, 0, 0, 1, 2]);
  });

  it('see the result of earlier ones, in tests, copies and moves', () => {
    const list = numbers(3000);
    const result = applyJsonPatch({ list }, [
      { op: 'remove', path: '/list/0' },
      { op: 'test', path: '/list', value: list.slice(1) },
      { op: 'add', path: '/list/1', value: 'x' },
      { op: 'copy', from: '/list', path: '/copy' },
      { op: 'remove', path: '/copy/0' },
      { op: 'move', from: '/list', path: '/moved' },
      { op: 'add', path: '/moved/-', value: 'end' },
    ]);
    const moved = [1, 'x', ...list.slice(2), 'end'];
    expect(result).toEqual({ copy: moved.slice(1, -1), moved });
  });

  it.each([
    ['inserts', { op: 'add', path: '/list/200000', value: 0 }],
    ['moves', { op: 'move', from: '/list/0', path: '/list/399998' }],
    ['removals', { op: 'remove', path: '/list/1000' }],
  ])('run ten thousand at a time: %s', (_, each) => {
    const operations = new Array<JsonPatchOperation>(10_000).fill(each);
    const steps = applyJsonPatchSteps({ list: numbers(400_000) }, operations);
    expect(countPauses(steps)).toBeGreaterThanOrEqual(10_000);
  });
});

describe('a copy', () => {
  it.each([
    ['a long list', 90, numbers(100_000)],
    ['many objects', 50, numbers(30_000).map(() => ({}))],
    ['a large object', 19, Object.fromEntries(numbers(20_000).map((i) => [`k${i}`, 'v']))],
  ] as const)('of %s pauses inside, and equals the original', (_, pauses, value) => {
    const patch = [{ op: 'copy', from: '/value', path: '/copy' }];
    const steps = applyJsonPatchSteps({ value } as JsonObject, patch);
    expect(countPauses(steps)).toBeGreaterThanOrEqual(pauses);
    expect(applyJsonPatch({ value } as JsonObject, patch)).toEqual({ value, copy: value });
  });
});

describe('tests of large values', () => {
  it('count the members of an object once', () => {
    let enumerations = 0;
    const object = new Proxy(
      { a: 1, b: 2 },
      {
        ownKeys(target) {
          enumerations++;
          return Reflect.ownKeys(target);
        },
      },
    );
    const patch = new Array<JsonPatchOperation>(1000).fill({
      op: 'test',
      path: '/object',
      value: { a: 1, b: 2 },
    });
    applyJsonPatch({ object } as unknown as JsonValue, patch);
    // Once more for the depth of the result.
    expect(enumerations).toBe(2);
  });

  it('count additions and removals since', () => {
    const test = (value: JsonValue): JsonPatchOperation => ({ op: 'test', path: '/object', value });
    const patch: JsonPatchOperation[] = [
      test({ a: 1 }),
      { op: 'add', path: '/object/b', value: 2 },
      test({ b: 2, a: 1 }),
      { op: 'add', path: '/object/b', value: 3 },
      { op: 'remove', path: '/object/a' },
      test({ b: 3 }),
    ];
    expect(applyJsonPatch({ object: { a: 1 } }, patch)).toEqual({ object: { b: 3 } });
    expect(() => applyJsonPatch({ object: { a: 1 } }, [...patch, test({})])).toThrow('test failed');
    expect(() => applyJsonPatch({ object: { a: 1 } }, [...patch, test({ b: 3, c: 1 })])).toThrow(
      'test failed',
    );
  });
});

describe('pointers of megabytes', () => {
  it.each([
    ['of escapes', `/${'~1'.repeat(1_400_000)}`],
    ['of names', '/a'.repeat(1_400_000)],
    ['of indexes', '/0'.repeat(1_400_000)],
  ])('%s do not resolve', (_, path) => {
    expect(() => applyJsonPatch({ a: [] }, [{ op: 'remove', path }])).toThrow('remove');
  });
});

describe('results that exceed the maximum object size', () => {
  const text = 'x'.repeat(2_000_000);

  it('are rejected', () => {
    const patch = [{ op: 'add', path: '/b', value: text }];
    const refusal = expect.objectContaining({ kind: 'too-large', message: 'limit is 3145728' });
    expect(() => applyJsonPatch({ a: text }, patch)).toThrow(refusal);
    expect(() => applyMergePatch({ a: text }, { b: text })).toThrow(refusal);
    expect(applyMergePatch({ a: text }, { a: text })).toEqual({ a: text });
  });
});

describe('the depth of a patch', () => {
  it.each<[string, JsonValue]>([
    ['a list of empty objects', numbers(50_000).map(() => ({}))],
    ['a list of numbers', numbers(50_000)],
    ['an object of texts', Object.fromEntries(numbers(50_000).map((i) => [`k${i}`, 'v']))],
  ])('is found with pauses in %s', (_, value) => {
    const steps = decodeJsonPatchSteps([{ op: 'add', path: '/a', value }]);
    expect(countPauses(steps)).toBeGreaterThanOrEqual(48);
  });
});

it.each<[string, JsonValue]>([
  ['many operations', numbers(20_000).map(() => ({ b: 1 }))],
  ['one operation of many members', [Object.fromEntries(numbers(20_000).map((i) => [`k${i}`, 1]))]],
])('unknown members of %s are listed with pauses', (_, patch) => {
  expect(countPauses(strictJsonPatchFindingsSteps(patch))).toBeGreaterThanOrEqual(19);
  expect(strictJsonPatchFindings(patch)).toHaveLength(20_000);
});

it('merge patches pause', () => {
  const many = Object.fromEntries(numbers(20_000).map((i) => [`k${i}`, { a: null, b: i }]));
  expect(countPauses(applyMergePatchSteps({}, { many }))).toBeGreaterThan(50);
  expect(countPauses(applyMergePatchSteps({ many }, { many }))).toBeGreaterThan(50);
});

describe('strategic merge patches', () => {
  const names: Schema = { type: 'array', patchStrategy: 'merge', items: { type: 'string' } };
  const owners: Schema = {
    type: 'array',
    patchStrategy: 'merge',
    patchMergeKey: 'uid',
    items: { properties: { uid: {} } },
  };
  const schema: Schema = {
    properties: { names, owners, data: { additionalProperties: { type: 'string' } } },
  };
  const words = (count: number): string[] => numbers(count).map((i) => `w${(i * 7919) % 100_003}`);
  const items = (count: number): JsonObject[] => words(count).map((uid) => ({ uid }));
  const map = (count: number): JsonObject => Object.fromEntries(words(count).map((word) => [word, 'v']));

  it.each<[string, (count: number) => [JsonObject, JsonObject]]>([
    ['new maps', (count) => [{}, { data: map(count) }]],
    ['maps', (count) => [{ data: map(3) }, { data: map(count) }]],
    ['sets', (count) => [{ names: words(count) }, { names: words(2 * count).toReversed() }]],
    ['lists by key', (count) => [{ owners: items(count) }, { owners: items(2 * count).toReversed() }]],
    ['orders', (count) => [{ names: words(count) }, { '$setElementOrder/names': words(count).toReversed() }]],
  ])('pause twice as often where they are twice as large: %s', (_, make) => {
    const pauses = (count: number): number => {
      const [original, patch] = make(count);
      return countPauses(applyStrategicMergePatchSteps(original, patch, schema));
    };
    const [once, twice] = [pauses(10_000), pauses(20_000)];
    expect(once).toBeGreaterThan(30);
    expect(twice).toBeLessThan(2.5 * once);
  });

  it('share items from which nothing is removed with the patch', () => {
    const names = [{ a: 'b' }, { a: null }, { a: { $patch: 'delete' } }, { $patch: 'delete' }, {}];
    const patched = applyStrategicMergePatch({}, { names }, schema) as { names: JsonObject[] };
    expect(patched.names).toEqual([{ a: 'b' }, {}, {}, {}]);
    expect([patched.names[0], patched.names[3]].map((item, i) => item === names[4 * i])).toEqual([
      true,
      true,
    ]);
  });

  it('tell items apart by the types of their keys', () => {
    const uids: JsonValue[] = ['1', 1, true, 'true', '\0int64 1', '\0string \0', '\0', ''];
    const original = { owners: uids.map((uid) => ({ uid })) };
    const patch = { owners: uids.map((uid, i) => ({ uid, i })) };
    expect(applyStrategicMergePatch(original, patch, schema)).toEqual(patch);
  });

  it('put long lists into their order', () => {
    const order = words(5_000);
    const patch = { '$setElementOrder/names': order };
    const known = numbers(50).map((i) => `u${i}`);
    const patched = applyStrategicMergePatch({ names: [...known, ...order.toSorted()] }, patch, schema);
    expect(patched).toEqual({ names: [...known, ...order] });
  });
});
