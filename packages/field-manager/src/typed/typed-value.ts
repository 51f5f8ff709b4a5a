import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  knownMembers,
  memberNames,
  objectOf,
} from '@ashlar/core';

/** A value as a list; undefined for null and everything else. */
export function asList(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** A value as a map; undefined for null and everything else. */
export function asMap(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The members of a map, except undefined ones. */
export function members(map: JsonObject | undefined): [string, JsonValue][] {
  if (!map) return [];
  return Object.entries(map).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
}

/** Whether a map has no defined member; true for other values. */
export function isEmptyMap(map: JsonObject | undefined): boolean {
  if (map && knownMembers(map) > 0) return memberNames(map).every((name) => map[name] === undefined);
  for (const name in map) if (map[name] !== undefined) return false;
  return true;
}

/** An own member of a map. */
export function memberOf(map: JsonObject | undefined, name: string): JsonValue | undefined {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** A map of these members; `__proto__` is an ordinary one. */
export function mapOf(entries: Iterable<readonly [string, JsonValue]>): JsonObject {
  return objectOf(entries);
}
