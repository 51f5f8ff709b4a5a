import type { JsonObject } from './json.ts';

/** The own member of an object; inherited members are ignored. */
export function ownMember<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether an object has a member; a member that is `undefined` is absent. */
export function hasMember(object: JsonObject, key: string): boolean {
  return ownMember(object, key) !== undefined;
}

/** Sets a member of an object under construction; `__proto__` becomes an ordinary key. */
export function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  const first = key.charCodeAt(0);
  if (first <= NINE && first >= ZERO && isFarIndex(object, key)) keepSparse(object);
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** An object of these members; of several with one name, the last. Unlike `Object.fromEntries`, it is as small as its members are few. */
export function objectOf<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  const object: Record<string, T> = {};
  for (const [key, value] of entries) setMember(object, key, value);
  return object;
}

const ZERO = 48;
const NINE = 57;
/** Indexes below take hardly more memory than other keys. */
const NEAR = 8;
/** The maximum index. */
const FARTHEST = 2 ** 32 - 2;

/** Whether a key is an index of arrays, and the index before it is not a member. */
function isFarIndex(object: object, key: string): boolean {
  if (key.length > 10) return false;
  const index = Number(key);
  return (
    index >= NEAR && index <= FARTHEST && String(index) === key && !Object.hasOwn(object, String(index - 1))
  );
}

/**
 * Engines reserve memory for all indexes below one that is set, up to some thousands: a hundred times what a small object takes. Once an
 * object has had a far index, they do so no longer.
 */
function keepSparse(object: Record<string, unknown>): void {
  if (Object.hasOwn(object, FARTHEST)) return;
  object[FARTHEST] = undefined;
  delete object[FARTHEST];
}
