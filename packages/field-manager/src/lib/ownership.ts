import type { JsonObject } from '@ashlar/core';
import { ApplyConflictError, type Conflict } from './apply-conflict.ts';
import { type Comparison, compareTyped, excludeFields } from './compare-typed.ts';
import { valuesEqual } from './compare-values.ts';
import { FieldSet } from './field-set.ts';
import { inVersion, type KindVersions, type VersionedObject } from './kind-versions.ts';
import { identityOf, type ManagerIdentity, type Managers } from './managed-fields.ts';
import { mergeTyped } from './merge-typed.ts';
import { prune } from './prune.ts';
import { reconcileFieldSet } from './reconcile-field-set.ts';
import { fieldSetOf } from './typed-field-set.ts';

/**
 * Records an update: everybody loses what it changed (semantics F5). The managers are changed in place.
 *
 * @returns what comes to be owned by the one who made it
 */
export function recordUpdate(
  versions: KindVersions,
  live: VersionedObject,
  next: VersionedObject,
  managers: Managers,
): FieldSet {
  reconcile(versions, managers);
  const { modified, added } = transfer(versions, live, next, managers, undefined, true);
  return modified.union(added);
}

/**
 * Applies a configuration: merges it over the live object, takes out what its manager no longer wants, and makes it own what the
 * configuration names (semantics F4). The managers are changed in place.
 *
 * @throws ApplyConflictError where others own what it changes, unless forced
 */
export function applyConfiguration(
  versions: KindVersions,
  live: VersionedObject,
  config: VersionedObject,
  managers: Managers,
  identity: ManagerIdentity,
  force: boolean,
): VersionedObject {
  reconcile(versions, managers);
  const merged = mergeTyped(live.object, config.object, live.type) as JsonObject;
  const last = managers.get(identity);
  const applied = fieldSetOf(config.object, config.type);
  const reset = versions.resetFields?.(config.apiVersion) ?? FieldSet.EMPTY;
  managers.set({ ...identity, fields: applied.recursiveDifference(reset) });
  const object = valuesEqual(live.object, merged) ? live.object : merged;
  const next = prune(versions, { ...live, object }, managers, last);
  transfer(versions, live, next, managers, identity, force);
  return next;
}

/** Drops managers of versions that are not known, and fits the others to what the schema says now. */
function reconcile(versions: KindVersions, managers: Managers): void {
  for (const manager of managers.list()) {
    const type = versions.typeOf(manager.apiVersion);
    if (!type) managers.delete(manager);
    else managers.set({ ...manager, fields: reconcileFieldSet(manager.fields, type) });
  }
}

/** Takes what changed from everybody but the manager who changed it, where that is one to be spared. */
function transfer(
  versions: KindVersions,
  live: VersionedObject,
  next: VersionedObject,
  managers: Managers,
  identity: ManagerIdentity | undefined,
  force: boolean,
): Comparison {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparison = (apiVersion: string): Comparison | undefined => {
    if (!comparisons.has(apiVersion))
      comparisons.set(apiVersion, compareIn(versions, live, next, apiVersion));
    return comparisons.get(apiVersion);
  };
  const own = comparison(next.apiVersion) as Comparison;
  const self = identity && identityOf(identity);
  const others = managers.list().filter((manager) => identityOf(manager) !== self);
  const conflicts: Conflict[] = [];
  for (const manager of others) {
    const changes = comparison(manager.apiVersion);
    const fields = changes
      ? manager.fields.intersection(changes.modified.union(changes.added))
      : FieldSet.EMPTY;
    if (!fields.isEmpty) conflicts.push({ manager, fields });
  }
  if (!force && conflicts.length > 0) throw new ApplyConflictError(conflicts);
  const lost = new Map(conflicts.map(({ manager, fields }) => [identityOf(manager), fields]));
  for (const manager of others) {
    const taken = lost.get(identityOf(manager)) ?? FieldSet.EMPTY;
    const gone = comparison(manager.apiVersion)?.removed ?? FieldSet.EMPTY;
    managers.set({ ...manager, fields: manager.fields.difference(taken).difference(gone) });
  }
  for (const manager of managers.list()) if (manager.fields.isEmpty) managers.delete(manager);
  return own;
}

const UNCHANGED: Comparison = { added: FieldSet.EMPTY, modified: FieldSet.EMPTY, removed: FieldSet.EMPTY };

function compareIn(
  versions: KindVersions,
  live: VersionedObject,
  next: VersionedObject,
  apiVersion: string,
): Comparison | undefined {
  const before = inVersion(versions, live, apiVersion);
  const after = inVersion(versions, next, apiVersion);
  if (!before || !after) return undefined;
  if (before.object === after.object) return UNCHANGED;
  const comparison = compareTyped(before.object, after.object, before.type);
  return excludeFields(comparison, versions.resetFields?.(apiVersion) ?? FieldSet.EMPTY);
}
