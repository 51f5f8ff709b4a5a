import {
  hasMember,
  isJsonObject,
  type JsonValue,
  type ManagedFieldsEntry,
  ownMember,
  type Steps,
} from '@ashlar/core';
import { FieldSet } from '../fieldpath/field-set.ts';
import { encodeFieldSet, encodeFieldSetSteps } from '../fieldpath/field-set-codec.ts';
import { differenceSteps } from '../fieldpath/field-set-steps.ts';
import { type FieldPath, fieldPath } from '../fieldpath/path-element.ts';
import { Managers } from './managed-fields.ts';
import { encodeEntry, sortEntries, toEntry } from './managed-fields-entry.ts';
import { identityOf } from './manager.ts';

const SCALE_VERSION = 'autoscaling/v1';
const SCALE_REPLICAS: FieldPath = fieldPath('spec', 'replicas');

/** Path of the replicas in each version of a kind; null for a version without scale. */
export type ReplicasPaths = Readonly<Record<string, FieldPath | null>>;

/**
 * The entries of an object that own its replicas, as the scale subresource sees them
 * (semantics/apply#reset-fields).
 *
 * @throws ManagedFieldsError for malformed entries
 */
export function toScaleManagedFields(
  parent: readonly ManagedFieldsEntry[] | undefined,
  paths: ReplicasPaths,
): readonly ManagedFieldsEntry[] | undefined {
  // of other fields, which may be tens of thousands, nothing is shown
  const managers = Managers.decode(parent?.map((entry) => withReplicasAlone(entry, paths)));
  const owners = managers.list().filter(({ fields }) => !fields.isEmpty);
  return sorted(
    owners.map((owner) => encodeEntry({ ...owner, apiVersion: SCALE_VERSION }, managers.time(owner))),
  );
}

/**
 * Merges the entries after a write of the scale subresource into those of the object: managers that lost the
 * replicas lose them here, and those that got them own them in the version of the endpoint. Updaters are named with the
 * version of the scale, so each write of the scale moves their replicas into an entry of its own, without a time
 * (semantics/apply#reset-fields).
 *
 * @param apiVersion version of the object at this endpoint
 * @throws ManagedFieldsError for malformed entries
 */
export function* fromScaleManagedFieldsSteps(
  parent: readonly ManagedFieldsEntry[] | undefined,
  scale: readonly ManagedFieldsEntry[] | undefined,
  apiVersion: string,
  paths: ReplicasPaths,
): Steps<readonly ManagedFieldsEntry[] | undefined> {
  const managers = yield* Managers.decodeSteps(parent);
  const scaleManagers = Managers.decode(scale);
  // An applier is the same in each version: what it owns through the scale replaces its entry.
  const entries = new Map<string, ManagedFieldsEntry>();
  for (const manager of managers.list()) {
    const path = Object.hasOwn(paths, manager.apiVersion) ? paths[manager.apiVersion] : undefined;
    if (path === undefined) continue;
    const hasReplicas = path !== null && manager.fields.has(path);
    const isStolen = hasReplicas && !scaleManagers.get(manager);
    const fields = isStolen ? yield* differenceSteps(manager.fields, FieldSet.of(path)) : manager.fields;
    if (!fields.isEmpty) {
      const entry = toEntry(manager, managers.time(manager), yield* encodeFieldSetSteps(fields));
      entries.set(identityOf(manager), entry);
    }
    if (hasReplicas) scaleManagers.delete(manager);
  }
  const replicas = FieldSet.of(paths[apiVersion] ?? []);
  for (const manager of scaleManagers.list()) {
    if (!manager.fields.has(SCALE_REPLICAS)) continue;
    const owner = { ...manager, apiVersion, fields: replicas };
    entries.set(identityOf(manager), encodeEntry(owner, managers.time(manager)));
  }
  return sorted([...entries.values()]);
}

/** An entry that owns the replicas of the scale if it owns those of the object, and nothing else. */
function withReplicasAlone(entry: ManagedFieldsEntry, paths: ReplicasPaths): ManagedFieldsEntry {
  if (!isJsonObject(entry as JsonValue)) return entry;
  const { apiVersion = '', fieldsV1 } = entry;
  const path = Object.hasOwn(paths, apiVersion) ? paths[apiVersion] : undefined;
  return { ...entry, fieldsV1: path && ownsField(fieldsV1, path) ? SHOWN : {} };
}

const SHOWN = encodeFieldSet(FieldSet.of(SCALE_REPLICAS));

/** Whether encoded fields have one at a path of names; the rest of them is not looked at. */
function ownsField(fieldsV1: JsonValue | undefined, path: FieldPath): boolean {
  let level = fieldsV1;
  for (const element of path) level = isJsonObject(level) ? ownMember(level, element.text) : undefined;
  return isJsonObject(level) && (hasMember(level, '.') || Object.keys(level).length === 0);
}

function sorted(entries: ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] | undefined {
  return entries.length > 0 ? sortEntries(entries) : undefined;
}
