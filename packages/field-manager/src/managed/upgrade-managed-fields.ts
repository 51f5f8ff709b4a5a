import type { JsonObject, JsonValue, ManagedFieldsEntry, ObjectMeta } from '@ashlar/core';
import { jsonEqual } from '@ashlar/core';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { decodeFieldSet, encodeFieldSet } from '../fieldpath/field-set-codec.ts';

/** Options of the upgrade. */
export interface UpgradeOptions {
  /** Managers of client-side apply, whose updates become applies. */
  readonly clientSideManagers: readonly string[];
  /** The manager that applies from now on. */
  readonly manager: string;
  /** The subresource of the entries; default: the main endpoint. */
  readonly subresource?: string;
}

/**
 * Upgrades the entries of an object from client-side to server-side apply: the updates of the client become
 * the manager's apply, so that it can drop fields that only they own (semantics/apply#migration).
 *
 * @throws FieldSetError for malformed entries
 */
export function upgradeManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  options: UpgradeOptions,
): readonly ManagedFieldsEntry[] | undefined {
  return options.clientSideManagers.reduce<readonly ManagedFieldsEntry[] | undefined>(
    (upgraded, clientManager) => upgraded && upgradeOne(upgraded, clientManager, options),
    entries,
  );
}

/**
 * The JSON patch that upgrades an object, conditional on its resource version; undefined if there is nothing
 * to do.
 *
 * @throws FieldSetError for malformed entries
 */
export function upgradeManagedFieldsPatch(
  metadata: ObjectMeta,
  options: UpgradeOptions,
): readonly JsonObject[] | undefined {
  const upgraded = upgradeManagedFields(metadata.managedFields, options);
  const value = (upgraded ?? null) as JsonValue;
  if (jsonEqual(value, (metadata.managedFields ?? null) as JsonValue)) return undefined;
  return [
    { op: 'replace', path: '/metadata/managedFields', value },
    // Replaced, not tested: a stale version is then a conflict and not an invalid patch.
    { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion ?? '' },
  ];
}

function upgradeOne(
  entries: readonly ManagedFieldsEntry[],
  clientManager: string,
  { manager, subresource = '' }: UpgradeOptions,
): readonly ManagedFieldsEntry[] | undefined {
  const isHere = (entry: ManagedFieldsEntry) => (entry.subresource ?? '') === subresource;
  const isClient = (entry: ManagedFieldsEntry) =>
    entry.manager === clientManager && entry.operation === 'Update' && isHere(entry);
  const isApplier = (entry: ManagedFieldsEntry) =>
    entry.manager === manager && entry.operation === 'Apply' && isHere(entry);
  const target = entries.find(isApplier) ?? entries.find(isClient);
  if (!target) return entries;
  const client = entries.find((entry) => isClient(entry) && entry.apiVersion === target.apiVersion);
  const fields = client ? fieldsOf(target).union(fieldsOf(client)) : fieldsOf(target);
  const applier: ManagedFieldsEntry = {
    ...target,
    manager,
    operation: 'Apply',
    fieldsV1: encodeFieldSet(fields),
  };
  const remaining = entries
    .map((entry) => (entry === target ? applier : entry))
    .filter((entry) => !isClient(entry));
  return remaining.length > 0 ? remaining : undefined;
}

const fieldsOf = (entry: ManagedFieldsEntry): FieldSet => decodeFieldSet(entry.fieldsV1 ?? null);
