import type { JsonValue } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { isDeeperThan } from './json-depth.ts';

const many = (member: JsonValue): JsonValue =>
  Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, member]));

describe('the depth of a value', () => {
  it.each<[string, JsonValue, number]>([
    ['a text', 'a', 0],
    ['an empty object', {}, 1],
    ['many texts', many('a'), 1],
    ['many empty objects', many({}), 2],
    ['many lists of empty objects', many([{}]), 3],
    ['many objects, of which one has a member', { ...(many({}) as object), a: { b: 1 } }, 2],
  ])('counts objects and lists in each other: %s', (_, value, depth) => {
    // what was found out about large objects is remembered
    for (let round = 0; round < 2; round++) {
      for (const around of [0, 1, 2]) {
        const nested = Array.from({ length: around }).reduce<JsonValue>((inside) => [inside], value);
        expect(isDeeperThan(nested, depth + around)).toBe(false);
        if (depth > 0) expect(isDeeperThan(nested, depth + around - 1)).toBe(true);
      }
    }
  });
});
