import type { JsonValue } from '@ashlar/core';

/**
 * How deep patches and their results may be nested. A few operations can nest a document deeper than any reader can follow
 * on its stack, so results are held to what everything that reads them later can bear.
 */
export const MAXIMUM_DEPTH = 1000;

/** Whether arrays and objects are nested deeper than `limit` levels. Takes no stack of its own, whatever the depth. */
export function isDeeperThan(value: JsonValue, limit: number): boolean {
  const pending: [JsonValue, number][] = [[value, 0]];
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const [at, depth] = entry;
    if (typeof at !== 'object' || at === null) continue;
    if (depth >= limit) return true;
    for (const member of Object.values(at)) {
      if (typeof member === 'object' && member !== null) pending.push([member, depth + 1]);
    }
  }
  return false;
}
