import type { JsonObject, Steps } from '@ashlar/core';
import type { FieldSet } from '../fieldpath/field-set.ts';
import {
  differenceSteps,
  intersectionSteps,
  unionAllSteps,
  unionSteps,
} from '../fieldpath/field-set-steps.ts';
import type { Managers } from '../managed/managed-fields.ts';
import { identityOf, type Manager } from '../managed/manager.ts';
import { withNamedFields } from '../typed/reconcile-field-set.ts';
import { removeItemsSteps } from '../typed/remove-typed.ts';
import { fieldSetOfSteps } from '../typed/typed-field-set.ts';
import { inVersion, type KindVersions, type VersionedObject } from './kind-versions.ts';

/**
 * Removes from an applied object what its manager applied before and does not apply now, unless another
 * manager owns it (semantics/apply#apply-algorithm, step 6).
 *
 * @param last the fields that the manager applied before, in its version
 */
export function* prune(
  versions: KindVersions,
  merged: VersionedObject,
  managers: Managers,
  last: Manager | undefined,
): Steps<VersionedObject> {
  if (!last || (yield* givesUpNothing(last, merged, managers))) return merged;
  const unpruned = yield* inVersion(versions, merged, last.apiVersion);
  if (!unpruned) return merged;
  const removed = yield* without(unpruned, yield* withNamedFields(last.fields, unpruned.type));
  const owned = yield* addBackOwned(versions, unpruned, removed, managers);
  const retained = yield* addBackDangling(versions, unpruned, owned, last.fields);
  return (yield* inVersion(versions, retained, merged.apiVersion)) ?? merged;
}

/** Whether everything that the manager applied before still has an owner: then nothing can be removed. */
function* givesUpNothing(last: Manager, merged: VersionedObject, managers: Managers): Steps<boolean> {
  const { apiVersion, fields } = last;
  if (apiVersion !== merged.apiVersion) return fields.isEmpty;
  const now = managers.get(last);
  const left = now?.apiVersion === apiVersion ? yield* differenceSteps(fields, now.fields) : fields;
  if (left.isEmpty) return true;
  const self = identityOf(last);
  const others = managers
    .list()
    .filter((manager) => manager.apiVersion === apiVersion && identityOf(manager) !== self)
    .map((manager) => manager.fields);
  return (yield* differenceSteps(left, yield* unionAllSteps(others))).isEmpty;
}

/**
 * A map that loses its last member stays as an empty one. The reference server leaves null, which schemas
 * reject (semantics/apply#apply-algorithm, choice).
 */
function* without(from: VersionedObject, items: FieldSet): Steps<VersionedObject> {
  const object = yield* removeItemsSteps(from.object, items, from.type, { emptiedMap: {} });
  return { ...from, object: object as JsonObject };
}

/**
 * Restores what the new configuration or other managers own, each in its own version; the pruned version
 * first.
 */
function* addBackOwned(
  versions: KindVersions,
  unpruned: VersionedObject,
  removed: VersionedObject,
  managers: Managers,
): Steps<VersionedObject> {
  const owned = new Map<string, FieldSet[]>([[unpruned.apiVersion, []]]);
  for (const { apiVersion, fields } of managers.list()) {
    const sets = owned.get(apiVersion);
    if (sets) sets.push(fields);
    else owned.set(apiVersion, [fields]);
  }
  let pruned = removed;
  for (const [apiVersion, sets] of owned)
    pruned = yield* addBackIn(versions, unpruned, pruned, apiVersion, yield* unionAllSteps(sets));
  return pruned;
}

function* addBackIn(
  versions: KindVersions,
  unpruned: VersionedObject,
  pruned: VersionedObject,
  apiVersion: string,
  owned: FieldSet,
): Steps<VersionedObject> {
  const before = yield* inVersion(versions, unpruned, apiVersion);
  const after = yield* inVersion(versions, pruned, apiVersion);
  if (!before || !after) return pruned;
  const retained = yield* unionSteps(yield* namedFieldsOf(after), yield* withNamedFields(owned, before.type));
  return yield* without(before, yield* differenceSteps(yield* namedFieldsOf(before), retained));
}

/** Restores what the manager did not own before: removing an item does not remove what others added to it. */
function* addBackDangling(
  versions: KindVersions,
  unpruned: VersionedObject,
  pruned: VersionedObject,
  last: FieldSet,
): Steps<VersionedObject> {
  const after = yield* inVersion(versions, pruned, unpruned.apiVersion);
  if (!after) return unpruned;
  const lostFields = yield* differenceSteps(yield* namedFieldsOf(unpruned), yield* namedFieldsOf(after));
  const named = yield* withNamedFields(last, unpruned.type);
  return yield* without(unpruned, yield* intersectionSteps(lostFields, named));
}

function* namedFieldsOf({ object, type }: VersionedObject): Steps<FieldSet> {
  return yield* withNamedFields(yield* fieldSetOfSteps(object, type), type);
}
