import type { JsonObject } from '@ashlar/core';
import { FieldSet } from './field-set.ts';
import { inVersion, type KindVersions, type VersionedObject } from './kind-versions.ts';
import type { Manager, Managers } from './managed-fields.ts';
import { withNamedFields } from './reconcile-field-set.ts';
import { removeItems } from './remove-typed.ts';
import { fieldSetOf } from './typed-field-set.ts';

/**
 * Removes from an applied object what its manager applied before and does not apply now, unless somebody else owns it
 * (semantics F4, step 6).
 *
 * @param last what the manager applied before, in its version
 */
export function prune(
  versions: KindVersions,
  merged: VersionedObject,
  managers: Managers,
  last: Manager | undefined,
): VersionedObject {
  if (!last || givesUpNothing(last, merged, managers)) return merged;
  const whole = inVersion(versions, merged, last.apiVersion);
  if (!whole) return merged;
  const removed = without(whole, withNamedFields(last.fields, whole.type));
  const owned = addBackOwned(versions, whole, removed, managers);
  const kept = addBackDangling(versions, whole, owned, last.fields);
  return inVersion(versions, kept, merged.apiVersion) ?? merged;
}

/** Whether everything that the manager applied before belongs to somebody now: then nothing can go. */
function givesUpNothing(
  { apiVersion, fields }: Manager,
  merged: VersionedObject,
  managers: Managers,
): boolean {
  if (apiVersion !== merged.apiVersion) return fields.isEmpty;
  let left = fields;
  for (const manager of managers.list()) {
    if (left.isEmpty) break;
    if (manager.apiVersion === apiVersion) left = left.difference(manager.fields);
  }
  return left.isEmpty;
}

/**
 * A map that loses its last member stays as an empty one. Upstream leaves null there, which schemas refuse (semantics F4, choice).
 */
function without(from: VersionedObject, items: FieldSet): VersionedObject {
  const object = removeItems(from.object, items, from.type, { emptiedMap: {} }) as JsonObject;
  return { ...from, object };
}

/** Puts back what the new configuration or other managers own, each in its own version; the pruned version first. */
function addBackOwned(
  versions: KindVersions,
  whole: VersionedObject,
  removed: VersionedObject,
  managers: Managers,
): VersionedObject {
  const owned = new Map<string, FieldSet>([[whole.apiVersion, FieldSet.EMPTY]]);
  for (const { apiVersion, fields } of managers.list())
    owned.set(apiVersion, (owned.get(apiVersion) ?? FieldSet.EMPTY).union(fields));
  let pruned = removed;
  for (const [apiVersion, fields] of owned) pruned = addBackIn(versions, whole, pruned, apiVersion, fields);
  return pruned;
}

function addBackIn(
  versions: KindVersions,
  whole: VersionedObject,
  pruned: VersionedObject,
  apiVersion: string,
  owned: FieldSet,
): VersionedObject {
  const before = inVersion(versions, whole, apiVersion);
  const after = inVersion(versions, pruned, apiVersion);
  if (!before || !after) return pruned;
  const kept = namedFieldsOf(after).union(withNamedFields(owned, before.type));
  return without(before, namedFieldsOf(before).difference(kept));
}

/** Puts back what the manager did not own before: removing an item does not take what others put into it. */
function addBackDangling(
  versions: KindVersions,
  whole: VersionedObject,
  pruned: VersionedObject,
  last: FieldSet,
): VersionedObject {
  const after = inVersion(versions, pruned, whole.apiVersion);
  if (!after) return whole;
  const gone = namedFieldsOf(whole).difference(namedFieldsOf(after));
  return without(whole, gone.intersection(withNamedFields(last, whole.type)));
}

function namedFieldsOf({ object, type }: VersionedObject): FieldSet {
  return withNamedFields(fieldSetOf(object, type), type);
}
