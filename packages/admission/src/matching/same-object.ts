import { type ApiObject, type JsonValue, jsonEqual } from '@ashlar/core';

/** Whether two objects are equal, or both absent. */
export function sameObject(a: ApiObject | undefined, b: ApiObject | undefined): boolean {
  if (a === b) return true;
  return (
    a !== undefined && b !== undefined && jsonEqual(a as unknown as JsonValue, b as unknown as JsonValue)
  );
}
