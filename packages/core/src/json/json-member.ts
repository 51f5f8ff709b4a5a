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
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
