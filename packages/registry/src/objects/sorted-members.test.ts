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

test('many members are sorted with pauses', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ b: index, a: index }));
  let pauses = 0;
  const steps = sortedMembersSteps(many);
  while (!steps.next().done) pauses++;
  expect(pauses).toBeGreaterThan(8);
});
