import { compareUtf8, type JsonObject, type JsonValue, setMember } from '@ashlar/core';

/** Returns the members of an object in the order of their names, as those of a raw extension are stored. */
export function sortedMembers(object: JsonObject): JsonObject {
  const sorted: Record<string, JsonValue> = {};
  for (const name of Object.keys(object).sort(compareUtf8))
    setMember(sorted, name, object[name] as JsonValue);
  return sorted;
}
