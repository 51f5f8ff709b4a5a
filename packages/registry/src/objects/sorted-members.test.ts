import { type JsonValue, jsonEqual, runAtOnce } from '@ashlar/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortedMembersSteps } from './sorted-members.ts';

const sorted = (value: JsonValue): JsonValue => runAtOnce(sortedMembersSteps(value));

test('members are in the order of their names, in all depths', () => {
  const value = { spec: { b: [{ z: 1, a: null }], a: 2 }, é: true, apiVersion: 'v1', __proto__x: 1 };
  expect(JSON.stringify(sorted(value))).toBe(
    '{"__proto__x":1,"apiVersion":"v1","spec":{"a":2,"b":[{"a":null,"z":1}]},"é":true}',
  );
});

test('what is sorted is the same value, and nothing else changes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const once = sorted(value as JsonValue);
      expect(jsonEqual(once, value as JsonValue)).toBe(true);
      expect(sorted(once)).toBe(once);
    }),
  );
});

test('only what is around members in another order is copied', () => {
  const value = { a: { kept: [{ a: [[1]] }] }, b: [{ b: {}, a: 1 }, { a: { b: 1 } }], c: 1 };
  const result = sorted(value) as typeof value;
  expect(JSON.stringify(result)).toBe(
    '{"a":{"kept":[{"a":[[1]]}]},"b":[{"a":1,"b":{}},{"a":{"b":1}}],"c":1}',
  );
  expect([result.a === value.a, result.b === value.b, result.b[1] === value.b[1]]).toEqual([
    true,
    false,
    true,
  ]);
});

test('what is large is looked through once', () => {
  const large = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i + 100}`, { a: 1 }]));
  let visits = 0;
  const watched = new Proxy(large, {
    ownKeys: (target) => {
      visits++;
      return Reflect.ownKeys(target);
    },
  });
  expect(sorted({ large: watched })).toEqual({ large });
  const first = visits;
  expect(JSON.stringify(sorted({ z: 1, large: [watched] }))).toBe(JSON.stringify({ large: [large], z: 1 }));
  // for the text alone
  expect(visits).toBe(first + 1);
});

test('many members are sorted with pauses', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ b: index, a: index }));
  let pauses = 0;
  const steps = sortedMembersSteps(many);
  while (!steps.next().done) pauses++;
  expect(pauses).toBeGreaterThan(8);
});
