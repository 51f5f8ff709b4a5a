import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { ownMember } from './json-member.ts';

/** The value of the only key, or a text of those of all. */
type ItemKey = string | number | bigint | boolean;

/**
 * Returns what finds the item of a list map that has the keys of another item. Of several items with the same
 * keys it is the first; items with a missing key, or one that is no scalar, are not found.
 */
export function itemsByKeys(
  items: readonly JsonValue[],
  keys: readonly string[],
): (item: JsonValue) => JsonValue | undefined {
  const byKey = new Map<ItemKey, JsonValue>();
  for (const item of items) {
    const key = keyOf(item, keys);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return (item) => {
    const key = keyOf(item, keys);
    return key === undefined ? undefined : byKey.get(key);
  };
}

function keyOf(item: JsonValue, keys: readonly string[]): ItemKey | undefined {
  if (!isJsonObject(item)) return undefined;
  if (keys.length === 1) return scalarMember(item, keys[0] as string);
  const parts: string[] = [];
  for (const key of keys) {
    const value = scalarMember(item, key);
    if (value === undefined) return undefined;
    parts.push(typeof value === 'string' ? JSON.stringify(value) : String(value));
  }
  return parts.join(',');
}

function scalarMember(item: JsonObject, name: string): ItemKey | undefined {
  const value = ownMember(item, name);
  return value === null || typeof value === 'object' ? undefined : value;
}
