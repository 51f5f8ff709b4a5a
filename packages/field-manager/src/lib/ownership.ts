import type { JsonObject } from '@ashlar/core';
import { ApplyConflictError, type Conflict } from './apply-conflict.ts';
import { compareTyped, excludeFields } from './compare-typed.ts';
import { valuesEqual } from './compare-values.ts';
import { FieldSet } from './field-set.ts';
import { inVersion, type KindVersions, type VersionedObject } from './kind-versions.ts';
import { identityOf, type ManagerIdentity, type Managers } from './managed-fields.ts';
import { mergeTyped } from './merge-typed.ts';
import { NEVER_OWNED } from './never-owned.ts';
import { prune } from './prune.ts';
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
  managers.fitTo(versions.typeOf);
  return transfer(versions, live, next, managers, undefined, true).changed;
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
  managers.fitTo(versions.typeOf);
  const merged = mergeTyped(live.object, config.object, live.type) as JsonObject;
  const last = managers.get(identity);
  const reset = versions.resetFields?.(config.apiVersion) ?? FieldSet.EMPTY;
  const applied = fieldSetOf(config.object, config.type).recursiveDifference(reset);
  managers.set({ ...identity, fields: applied });
  const object = valuesEqual(live.object, merged) ? live.object : merged;
  const next = prune(versions, { ...live, object }, managers, last);
  const fields = applied.difference(NEVER_OWNED);
  // What is owned as before is written as before.
  const isAsBefore = last?.apiVersion === config.apiVersion && last.fields.equals(fields);
  managers.set(isAsBefore ? last : { ...identity, fields });
  transfer(versions, live, next, managers, identity, force);
  return next;
}

/** Takes what changed from everybody but the manager who changed it, where that is one to be spared. */
function transfer(
  versions: KindVersions,
  live: VersionedObject,
  next: VersionedObject,
  managers: Managers,
  identity: ManagerIdentity | undefined,
  force: boolean,
): Changes {
  const known = new Map<string, Changes | undefined>();
  const changesIn = (apiVersion: string): Changes | undefined => {
    if (!known.has(apiVersion)) known.set(apiVersion, changesBetween(versions, live, next, apiVersion));
    return known.get(apiVersion);
  };
  const own = changesIn(next.apiVersion) as Changes;
  const self = identity && identityOf(identity);
  const others = managers.list().filter((manager) => identityOf(manager) !== self);
  const conflicts: Conflict[] = [];
  for (const manager of others) {
    const fields = manager.fields.intersection(changesIn(manager.apiVersion)?.changed ?? FieldSet.EMPTY);
    if (!fields.isEmpty) conflicts.push({ manager, fields });
  }
  if (!force && conflicts.length > 0) throw new ApplyConflictError(conflicts);
  for (const manager of others) {
    const changes = changesIn(manager.apiVersion);
    const fields = changes && manager.fields.difference(changes.changed).difference(changes.removed);
    // Where the object has no such version any more, nothing in it is owned.
    if (!fields) managers.delete(manager);
    else if (fields !== manager.fields) managers.set({ ...manager, fields });
  }
  for (const manager of managers.list()) if (manager.fields.isEmpty) managers.delete(manager);
  return own;
}

/** What a write does to fields, in one version. */
interface Changes {
  /** What has another value, and what is new. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

const NO_CHANGES: Changes = { changed: FieldSet.EMPTY, removed: FieldSet.EMPTY };

function changesBetween(
  versions: KindVersions,
  live: VersionedObject,
  next: VersionedObject,
  apiVersion: string,
): Changes | undefined {
  if (live.object === next.object) return NO_CHANGES;
  const before = inVersion(versions, live, apiVersion);
  const after = inVersion(versions, next, apiVersion);
  if (!before || !after) return undefined;
  const comparison = compareTyped(before.object, after.object, before.type);
  const reset = versions.resetFields?.(apiVersion) ?? FieldSet.EMPTY;
  const { modified, added, removed } = excludeFields(comparison, reset);
  return { changed: modified.union(added), removed };
}
