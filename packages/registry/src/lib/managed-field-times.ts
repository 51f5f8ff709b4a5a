import { type ApiObject, type JsonValue, jsonEqual, type ManagedFieldsEntry } from '@ashlar/core';
import { withCanonicalMetadata } from './canonical-object.ts';

/**
 * An object that differs from the stored one in nothing but the times of its field owners gets the old times, so that
 * writing it changes nothing (semantics F8).
 */
export function keepManagedFieldTimes(object: ApiObject, stored: ApiObject): ApiObject {
  const before = stored.metadata.managedFields ?? [];
  const after = object.metadata.managedFields ?? [];
  if (before.length !== after.length || !sameButOwners(object, stored) || !sameOwners(before, after))
    return object;
  return withCanonicalMetadata(object, { managedFields: before });
}

function sameButOwners(a: ApiObject, b: ApiObject): boolean {
  const { metadata, ...rest } = a;
  const { metadata: otherMetadata, ...otherRest } = b;
  if (!jsonEqual(rest as JsonValue, otherRest as JsonValue)) return false;
  const { managedFields: _, resourceVersion: __, ...own } = metadata;
  const { managedFields: ___, resourceVersion: ____, ...other } = otherMetadata;
  return jsonEqual(own as JsonValue, other as JsonValue);
}

function sameOwners(before: readonly ManagedFieldsEntry[], after: readonly ManagedFieldsEntry[]): boolean {
  const sameEntry = (a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean =>
    jsonEqual({ ...a, time: null } as JsonValue, { ...b, time: null } as JsonValue);
  return after.every((entry) => before.some((known) => sameEntry(entry, known)));
}
