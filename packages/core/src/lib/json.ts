/** A JSON value as it lives in memory: immutable, shared by reference. Integers beyond 2^53 are `bigint` (ADR 0001). */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** A JSON object: own enumerable string keys only. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** True for JSON objects; arrays and null are none. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Freezes a value and everything below it, and gives it back. Values already frozen are not entered again. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const key in value) deepFreeze(value[key]);
    Object.freeze(value);
  }
  return value;
}

/** Whether two JSON values are equal: objects without regard to the order of keys, absent and `undefined` alike. */
export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!jsonEqual(a[i], b[i])) return false;
    return true;
  }
  return objectsEqual(a as JsonObject, b as JsonObject);
}

function objectsEqual(a: JsonObject, b: JsonObject): boolean {
  for (const key in a) if (!jsonEqual(a[key], b[key])) return false;
  for (const key in b) if (b[key] !== undefined && a[key] === undefined) return false;
  return true;
}
