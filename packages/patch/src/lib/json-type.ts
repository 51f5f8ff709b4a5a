import type { JsonObject, JsonValue } from '@ashlar/core';

/** A JSON array; `Array.isArray` alone does not narrow readonly arrays. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The JSON type of a value as decode errors name it. */
export function jsonTypeName(value: JsonValue): 'null' | 'bool' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'number';
    case 'string':
      return 'string';
    default:
      return 'object';
  }
}

/** The own member of an object: what `Object.prototype` has is not there. */
export function ownMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether an object has the member; one that holds `undefined` is absent. */
export function hasMember(object: JsonObject, key: string): boolean {
  return ownMember(object, key) !== undefined;
}

/** Sets a member of an object of one's own; `__proto__` becomes data like any other key. */
export function setMember(
  object: Record<string, JsonValue | undefined>,
  key: string,
  value: JsonValue,
): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
