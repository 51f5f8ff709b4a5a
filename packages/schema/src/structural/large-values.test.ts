import { isJsonObject, type JsonValue, runAtOnce } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLargeValues } from './large-values.ts';

type Container = JsonValue & object;

const list = (count: number, item: JsonValue = 1): JsonValue => Array.from({ length: count }, () => item);
const map = (count: number, member: JsonValue = 1): JsonValue =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, member]));
const sized = fc.oneof(
  fc.constantFrom(0, 3, 300, 2_500).map((count) => list(count)),
  fc.constantFrom(0, 3, 300, 2_500).map((count) => map(count)),
  fc.constant('x'.repeat(200_000)),
);
const nested = fc
  .array(fc.array(sized, { maxLength: 4 }), { maxLength: 4 })
  .map((lists) => ({ lists, maps: lists.map((each) => ({ ...each })) }) as unknown as JsonValue);

const isContainer = (value: JsonValue | undefined): value is Container =>
  typeof value === 'object' && value !== null;

/** Values inside of a value, with keys and the text of strings by 64 characters. */
function weightOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return 1 + (value.length >> 6);
  if (!isContainer(value)) return 1;
  const parts = Object.values(value) as JsonValue[];
  return parts.reduce((sum: number, part) => sum + weightOf(part), 1);
}

function containersIn(value: JsonValue): Container[] {
  if (!isContainer(value)) return [];
  return [value, ...(Object.values(value) as JsonValue[]).flatMap(containersIn)];
}

describe('large values', () => {
  it('are those of more than about a thousand values or 64 KiB of text', () => {
    fc.assert(
      fc.property(nested, (value) => {
        const large = runAtOnce(findLargeValues(value));
        for (const each of containersIn(value)) {
          if (weightOf(each) > 1_100) expect(large.has(each)).toBe(true);
          if (weightOf(each) < 500) expect(large.has(each)).toBe(false);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('are weighed once, however many lists are around one', () => {
    let reads = 0;
    const counted = new Proxy(list(2_000) as JsonValue[], {
      get(items, name) {
        reads++;
        return Reflect.get(items, name);
      },
    });
    let value: JsonValue = counted;
    for (let i = 0; i < 500; i++) value = [value];
    expect(runAtOnce(findLargeValues(value)).size).toBe(501);
    expect(reads).toBeLessThan(10_000);
  });

  it('are found again, also inside of another value', () => {
    fc.assert(
      fc.property(nested, (value) => {
        const first = runAtOnce(findLargeValues(value));
        const around = runAtOnce(findLargeValues({ value, more: list(2_500) }));
        for (const each of first) expect(around.has(each)).toBe(true);
        expect(new Set(runAtOnce(findLargeValues(value)))).toEqual(new Set(first));
      }),
      { numRuns: 50 },
    );
  });

  it('are not looked for in those that are known', () => {
    const known = map(2_500);
    const inside = list(2_500);
    const value = { known: { ...(known as object), inside } as JsonValue };
    const large = runAtOnce(findLargeValues(value, { has: (each) => each === value.known }));
    expect([large.has(value.known), large.has(inside), large.has(value)]).toEqual([true, false, true]);
    expect(isJsonObject(value.known)).toBe(true);
  });

  it.each([
    ['small items', list(60_000, { a: 1, b: 2 })],
    ['maps', Array.from({ length: 8 }, () => map(20_000))],
    [
      'lists in each other',
      Array.from({ length: 900 }).reduce((inside: JsonValue) => [inside], list(20_000)),
    ],
    ['items that are hardly large', Array.from({ length: 100 }, () => list(1_030))],
  ])('are looked for with pauses: %s', (_, value) => {
    expect([...findLargeValues(value)].length).toBeGreaterThan(6);
  });
});
