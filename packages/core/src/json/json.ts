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

/** True for JSON arrays; `Array.isArray` alone does not narrow readonly ones. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Freezes a value and everything below it, and gives it back. Values already frozen are not entered again. Deep nesting is no harm. */
export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    for (const key in next) pending.push((next as Record<string, unknown>)[key]);
    Object.freeze(next);
  }
  return value;
}
