import type { JsonObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { mapKeys } from './maps.ts';

/** A map that counts how often all of its members are listed. */
function counted(members: JsonObject): { readonly map: JsonObject; readonly listed: () => number } {
  let listed = 0;
  const map = new Proxy(members, {
    ownKeys: (target) => {
      listed++;
      return Reflect.ownKeys(target);
    },
  });
  return { map, listed: () => listed };
}

describe('the keys of a map', () => {
  it('are listed once, and its values never', () => {
    const { map, listed } = counted(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i])));
    expect(mapKeys(map)).toHaveLength(100);
    expect(listed()).toBe(1);
  });

  it('are those of members that are there', () => {
    expect(mapKeys({ a: 1, b: undefined, c: null } as unknown as JsonObject)).toEqual(['a', 'c']);
  });
});
