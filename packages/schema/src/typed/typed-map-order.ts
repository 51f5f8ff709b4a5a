import { type JsonObject, type JsonValue, setMember } from '@ashlar/core';

export function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return false;
  return true;
}

/** A map with its members in the order of these keys. */
export function sortedCopy(map: JsonObject, keys: readonly string[]): JsonObject {
  const sorted: Record<string, JsonValue> = {};
  for (const key of keys) setMember(sorted, key, map[key] as JsonValue);
  return sorted;
}
