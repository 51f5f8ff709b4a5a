import type { JsonObject, Steps } from '@ashlar/core';
import { FieldSet } from '../fieldpath/field-set.ts';
import {
  differenceSteps,
  equalSteps,
  intersectionSteps,
  recursiveDifferenceSteps,
  unionSteps,
} from '../fieldpath/field-set-steps.ts';
import type { Managers } from '../managed/managed-fields.ts';
import { identityOf, type Manager, type ManagerIdentity } from '../managed/manager.ts';
import { compareTypedSteps, excludeFields } from '../typed/compare-typed.ts';
import { fieldSetOfSteps } from '../typed/typed-field-set.ts';
import { valuesEqualSteps } from '../values/compare-values.ts';
import { isDue } from '../values/large-parts.ts';
import { ApplyConflictError, type Conflict } from './apply-conflict.ts';
import { inVersion, type KindVersions, type VersionedObject } from './kind-versions.ts';
import { mergeTypedSteps } from './merge-typed.ts';
import { NEVER_OWNED } from './never-owned.ts';
import { prune } from './prune.ts';

/**
 * Tracks an update: all other managers lose what it changed (semantics/apply#update-algorithm). The managers
 * are changed in place.
 *
 * @returns the fields that its manager gains
 */
export function* recordUpdate(
  versions: KindVersions,
  live: VersionedObject,
  next: VersionedObject,
  managers: Managers,
): Steps<FieldSet> {
  yield* managers.fitTo(versions.typeOf);
  return (yield* transfer(versions, live, next, managers, undefined, true)).changed;
}

/** What a configuration names. */
export interface ConfiguredFields {
  /** Without what has no owner when written through the endpoint: what is kept while the rest is pruned. */
  readonly kept: FieldSet;
  /** What its manager owns. */
  readonly owned: FieldSet;
}

/** Finds out what an applied configuration names. */
export function* configuredFields(versions: KindVersions, config: VersionedObject): Steps<ConfiguredFields> {
  const reset = versions.resetFields?.(config.apiVersion) ?? FieldSet.EMPTY;
  const kept = yield* recursiveDifferenceSteps(yield* fieldSetOfSteps(config.object, config.type), reset);
  return { kept, owned: yield* differenceSteps(kept, NEVER_OWNED) };
}

/**
 * Applies a configuration: merges it into the live object, removes what its manager no longer applies, and
 * makes it own what the configuration names (semantics/apply#apply-algorithm). The managers are changed in
 * place.
 *
 * @throws ApplyConflictError if others own what it changes, unless forced
 */
export function* applyConfiguration(
  versions: KindVersions,
  live: VersionedObject,
  config: VersionedObject,
  { kept, owned }: ConfiguredFields,
  managers: Managers,
  identity: ManagerIdentity,
  force: boolean,
): Steps<VersionedObject> {
  yield* managers.fitTo(versions.typeOf);
  const merged = (yield* mergeTypedSteps(live.object, config.object, live.type)) as JsonObject;
  const last = managers.get(identity);
  const object = (yield* valuesEqualSteps(live.object, merged)) ? live.object : merged;
  let next: VersionedObject = { ...live, object };
  // Who owns what it owned before gives nothing up, and its entry is written as before.
  if (last?.apiVersion !== config.apiVersion || !(yield* equalSteps(last.fields, owned))) {
    managers.setFields(identity, kept);
    next = yield* prune(versions, next, managers, last);
    managers.setFields(identity, owned);
  }
  yield* transfer(versions, live, next, managers, identity, force);
  return next;
}

/** Removes changed fields from all managers but the one that changed them. */
function* transfer(
  versions: KindVersions,
  live: VersionedObject,
  next: VersionedObject,
  managers: Managers,
  identity: ManagerIdentity | undefined,
  force: boolean,
): Steps<Changes> {
  if (live.object === next.object) {
    dropEmpty(managers);
    return NO_CHANGES;
  }
  const changesByVersion = new Map<string, Changes | undefined>();
  const own = (yield* changesBetween(versions, live, next, next.apiVersion)) as Changes;
  changesByVersion.set(next.apiVersion, own);
  const self = identity && identityOf(identity);
  const others = managers.list().filter((manager) => identityOf(manager) !== self);
  for (const { apiVersion } of others)
    if (!changesByVersion.has(apiVersion))
      changesByVersion.set(apiVersion, yield* changesBetween(versions, live, next, apiVersion));
  if (!force) yield* requireNoConflicts(others, changesByVersion);
  for (const manager of others) {
    if (isDue(VALUES_OF_MANAGER)) yield;
    const changes = changesByVersion.get(manager.apiVersion);
    // Where the object has no such version any more, nothing in it is owned.
    if (!changes) managers.delete(manager);
    else yield* takeFrom(managers, manager, changes);
  }
  dropEmpty(managers);
  return own;
}

function dropEmpty(managers: Managers): void {
  for (const manager of managers.list()) if (manager.fields.isEmpty) managers.delete(manager);
}

function* requireNoConflicts(
  others: readonly Manager[],
  changes: ReadonlyMap<string, Changes | undefined>,
): Steps<void> {
  const conflicts: Conflict[] = [];
  for (const manager of others) {
    if (isDue(VALUES_OF_MANAGER)) yield;
    const changed = changes.get(manager.apiVersion)?.changed ?? FieldSet.EMPTY;
    const fields = yield* intersectionSteps(manager.fields, changed);
    if (!fields.isEmpty) conflicts.push({ manager, fields });
  }
  if (conflicts.length > 0) throw new ApplyConflictError(conflicts);
}

function* takeFrom(managers: Managers, manager: Manager, changes: Changes): Steps<void> {
  const left = yield* differenceSteps(manager.fields, changes.changed);
  const fields = yield* differenceSteps(left, changes.removed);
  if (fields !== manager.fields) managers.set({ ...manager, fields });
}

/** Work units of a manager between two pauses. */
const VALUES_OF_MANAGER = 16;

/** Fields that a write changes, in one version. */
interface Changes {
  /** Changed and new fields. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

const NO_CHANGES: Changes = { changed: FieldSet.EMPTY, removed: FieldSet.EMPTY };

function* changesBetween(
  versions: KindVersions,
  live: VersionedObject,
  next: VersionedObject,
  apiVersion: string,
): Steps<Changes | undefined> {
  const before = yield* inVersion(versions, live, apiVersion);
  const after = yield* inVersion(versions, next, apiVersion);
  if (!before || !after) return undefined;
  const comparison = yield* compareTypedSteps(before.object, after.object, before.type);
  const reset = versions.resetFields?.(apiVersion) ?? FieldSet.EMPTY;
  const { modified, added, removed } = yield* excludeFields(comparison, reset);
  return { changed: yield* unionSteps(modified, added), removed };
}
