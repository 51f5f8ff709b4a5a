import { type ApiObject, type JsonValue, jsonEqual, type ManagedFieldsEntry, ownMember } from '@ashlar/core';

/**
 * Returns the stored object if one differs from it only in the times of field managers or in the order of keys, so that the
 * write has no effect (semantics/apply#times).
 */
export function keepManagedFieldTimes(object: ApiObject, stored: ApiObject): ApiObject {
  const before = stored.metadata.managedFields ?? [];
  const after = object.metadata.managedFields ?? [];
  if (before.length !== after.length) return object;
  if (!sameButOwners(object, stored) || !sameOwners(before, after)) return object;
  // equal members in another order are no change either
  return stored;
}

function sameButOwners(a: ApiObject, b: ApiObject): boolean {
  return (
    sameMembers(members(a), members(b), (name) => name === 'metadata') &&
    sameMembers(
      members(a.metadata),
      members(b.metadata),
      (name) => name === 'managedFields' || name === 'resourceVersion',
    )
  );
}

/** Looks up managers by a key: there may be thousands. */
function sameOwners(before: readonly ManagedFieldsEntry[], after: readonly ManagedFieldsEntry[]): boolean {
  if (after.every((entry, index) => entry === before[index])) return true;
  const entriesByOwner = new Map<string, ManagedFieldsEntry[]>();
  for (const entry of before) {
    const owner = ownerOf(entry);
    const entries = entriesByOwner.get(owner);
    if (entries) entries.push(entry);
    else entriesByOwner.set(owner, [entry]);
  }
  return after.every(
    (entry) => entriesByOwner.get(ownerOf(entry))?.some((other) => sameEntry(entry, other)) ?? false,
  );
}

/** One entry for each where field managers have written them. */
const ownerOf = ({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string =>
  JSON.stringify([manager, operation, apiVersion, subresource]);

function sameEntry(a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean {
  return a === b || sameMembers(members(a), members(b), (name) => name === 'time');
}

type Members = Readonly<Record<string, JsonValue | undefined>>;

const members = (object: object): Members => object as Members;

/** Equal but for some of the members. */
function sameMembers(a: Members, b: Members, isIgnored: (name: string) => boolean): boolean {
  for (const name in a) if (!isIgnored(name) && !jsonEqual(a[name], ownMember(b, name))) return false;
  for (const name in b)
    if (!isIgnored(name) && b[name] !== undefined && ownMember(a, name) === undefined) return false;
  return true;
}
