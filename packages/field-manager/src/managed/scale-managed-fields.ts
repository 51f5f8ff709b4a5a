import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ManagedFieldsEntry,
  ownMember,
  type Steps,
} from '@ashlar/core';
import { FieldSet } from '../fieldpath/field-set.ts';
import { encodeFieldSetSteps } from '../fieldpath/field-set-codec.ts';
import { differenceSteps } from '../fieldpath/field-set-steps.ts';
import { type FieldPath, fieldPath } from '../fieldpath/path-element.ts';
import { Managers } from './managed-fields.ts';
import { encodeEntry, sortEntries, toEntry } from './managed-fields-entry.ts';
import { identityOf, type Manager } from './manager.ts';

const SCALE_VERSION = 'autoscaling/v1';
const SCALE_REPLICAS: FieldPath = fieldPath('spec', 'replicas');

/** Path of the replicas in each version of a kind; null for a version without scale. */
export type ReplicasPaths = Readonly<Record<string, FieldPath | null>>;

/**
 * The entries of an object that own its replicas, as the scale subresource sees them
 * (semantics/apply#reset-fields).
 *
 * @throws ManagedFieldsError for malformed entries; fields beside the replicas are not looked at
 */
export function toScaleManagedFields(
  parent: readonly ManagedFieldsEntry[] | undefined,
  paths: ReplicasPaths,
): readonly ManagedFieldsEntry[] | undefined {
  const alone = Array.isArray(parent) ? parent.map((entry) => withReplicasAlone(entry, paths)) : parent;
  const managers = Managers.decode(alone);
  const owners = managers.list().filter((manager) => ownsReplicas(manager, paths));
  const fields = FieldSet.of(SCALE_REPLICAS);
  return sorted(
    owners.map((owner) => encodeEntry({ ...owner, apiVersion: SCALE_VERSION, fields }, managers.time(owner))),
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

function ownsReplicas({ apiVersion, fields }: Manager, paths: ReplicasPaths): boolean {
  const path = pathIn(apiVersion, paths);
  return path !== undefined && fields.has(path);
}

const pathIn = (apiVersion: string, paths: ReplicasPaths): FieldPath | undefined =>
  (Object.hasOwn(paths, apiVersion) ? paths[apiVersion] : undefined) ?? undefined;

/** An entry with nothing but what leads to the replicas: of its other fields there may be tens of thousands. */
function withReplicasAlone(entry: ManagedFieldsEntry, paths: ReplicasPaths): ManagedFieldsEntry {
  if (!isJsonObject(entry as JsonValue) || entry.fieldsV1 === undefined) return entry;
  const { apiVersion = '', fieldsV1 } = entry;
  return { ...entry, fieldsV1: fieldsAlong(fieldsV1, pathIn(apiVersion, paths) ?? []) as JsonObject };
}

/** The part of encoded fields along a path of names, whatever stands there. */
function fieldsAlong(fields: JsonValue, [first, ...rest]: FieldPath): JsonValue {
  if (!isJsonObject(fields)) return fields;
  if (!first) return fields;
  const below = ownMember(fields, first.text);
  return below === undefined ? {} : { [first.text]: fieldsAlong(below, rest) };
}

function sorted(entries: ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] | undefined {
  return entries.length > 0 ? sortEntries(entries) : undefined;
}
