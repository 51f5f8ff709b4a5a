import { type JsonObject, type JsonValue, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { sortedByKey, sortedByKeySteps } from './sorted-by-key.ts';

const members = (count: number): ReadonlyMap<string, JsonValue> =>
  new Map(Array.from({ length: count }, (_, i) => [`${(i * 7919) % count}`.padStart(6, 'd'), i]));

describe('sortedByKeySteps', () => {
  it.each([0, 3, 10_007])('sorts %d members as sortedByKey does', (count) => {
    const map = members(count);
    const record: JsonObject = Object.fromEntries(map);
    const sorted = runAtOnce(sortedByKeySteps(map));
    expect(Object.entries(sorted)).toEqual(Object.entries(sortedByKey(record)));
  });

  it('pauses about once for a thousand members', () => {
    let pauses = 0;
    for (const _ of sortedByKeySteps(members(50_021))) pauses++;
    expect(pauses).toBeGreaterThan(48);
  });

  it('keeps members with any name', () => {
    const sorted = runAtOnce(sortedByKeySteps(new Map([['__proto__', 1]])));
    expect(Object.entries(sorted)).toEqual([['__proto__', 1]]);
  });
});
