import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../contracts/steps.ts';
import { deepFreeze, deepFreezeSteps, isJsonObject, type JsonValue } from './json.ts';
import { jsonEqual, jsonEqualSteps } from './json-equal.ts';

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level++) value = { a: [value] };
  return value;
}

describe('jsonEqual', () => {
  it('is true for a value and its copy, in any key order', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonEqual(value as JsonValue, reversed(value as JsonValue))).toBe(true);
      }),
    );
  });

  it('agrees with the canonical texts', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (a, b) => {
        expect(jsonEqual(a as JsonValue, b as JsonValue)).toBe(
          canonical(a as JsonValue) === canonical(b as JsonValue),
        );
      }),
    );
  });

  it('treats absent and undefined alike', () => {
    expect(jsonEqual({ a: undefined }, {})).toBe(true);
    expect(jsonEqual({ a: undefined }, { b: undefined })).toBe(true);
    expect(jsonEqual({ a: undefined }, { a: null })).toBe(false);
    expect(jsonEqual({}, { a: null })).toBe(false);
  });

  it('ignores inherited members', () => {
    expect(jsonEqual({}, { toString: 'x' })).toBe(false);
    expect(jsonEqual({ constructor: 'x' }, {})).toBe(false);
    const prototype = JSON.parse('{"__proto__":{}}') as JsonValue;
    expect(jsonEqual(prototype, {})).toBe(false);
    expect(jsonEqual(prototype, JSON.parse('{"__proto__":{}}') as JsonValue)).toBe(true);
  });

  it('distinguishes lists from objects, and neighbouring values', () => {
    expect(jsonEqual([], {})).toBe(false);
    expect(jsonEqual([1], [1, 2])).toBe(false);
    expect(jsonEqual([null], [{}])).toBe(false);
    expect(jsonEqual(1n, 1n)).toBe(true);
    expect(jsonEqual('1', 1)).toBe(false);
  });

  it('handles deep nesting', () => {
    expect(jsonEqual(nested(50_000), nested(50_000))).toBe(true);
    expect(jsonEqual(nested(50_000), nested(49_999))).toBe(false);
  });
});

describe('jsonEqualSteps', () => {
  it('says the same as jsonEqual', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (a, b) => {
        const equal = runAtOnce(jsonEqualSteps(a as JsonValue, b as JsonValue));
        expect(equal).toBe(jsonEqual(a as JsonValue, b as JsonValue));
      }),
    );
  });

  it.each([
    ['objects of a list', (): JsonValue => Array.from({ length: 10_000 }, (_, i) => ({ a: i }))],
    ['nested values', () => nested(10_000)],
  ])('pauses between %s', (_, value) => {
    const steps = jsonEqualSteps(value(), value());
    expect([...steps].length).toBeGreaterThan(8);
  });
});

describe('deepFreeze', () => {
  it('freezes every level and returns the value', () => {
    const value = { a: [{ b: 1 }] };
    expect(deepFreeze(value)).toBe(value);
    expect([value, value.a, value.a[0]].every(Object.isFrozen)).toBe(true);
  });

  it('handles deep nesting', () => {
    expect(Object.isFrozen(deepFreeze(nested(50_000)))).toBe(true);
  });

  it('does not enter frozen values', () => {
    const inner = { b: 1 };
    deepFreeze({ a: Object.freeze({ inner }) });
    expect(Object.isFrozen(inner)).toBe(false);
  });
});

describe('isJsonObject', () => {
  it('is true for objects only', () => {
    expect([{}, [], null, 'a', 1].map(isJsonObject)).toEqual([true, false, false, false, false]);
  });
});

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, member]) => [key, reversed(member as JsonValue)]));
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] as JsonValue)}`).join()}}`;
}

describe('deepFreezeSteps', () => {
  it('freezes everything, with pauses', () => {
    const values = Array.from({ length: 5000 }, (_, i) => ({ i, list: [{ i }] }));
    const steps = deepFreezeSteps(values);
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(values.every((value) => Object.isFrozen(value) && Object.isFrozen(value.list[0]))).toBe(true);
    expect(Object.isFrozen(values)).toBe(true);
    expect(pauses).toBeGreaterThan(10);
  });
});
