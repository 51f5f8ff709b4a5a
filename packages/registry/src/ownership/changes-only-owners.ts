import type { ApiObject } from '@ashlar/core';

/** Whether an applied object is the stored one itself, apart from its managed fields. Values are not compared, only whether they are the same. */
export function changesOnlyOwners(merged: ApiObject, stored: ApiObject): boolean {
  return hasSame(merged, stored, 'metadata') && hasSame(merged.metadata, stored.metadata, 'managedFields');
}

/** Whether two objects have the same members besides one. */
function hasSame(one: object, other: object, besides: string): boolean {
  const [a, b] = [one, other] as Readonly<Record<string, unknown>>[];
  const namesOf = (object: object): string[] => Object.keys(object).filter((name) => name !== besides);
  const names = namesOf(one);
  return names.length === namesOf(other).length && names.every((name) => a?.[name] === b?.[name]);
}
