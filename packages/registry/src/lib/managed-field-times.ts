import { type ApiObject, type JsonValue, jsonEqual, type ManagedFieldsEntry } from '@ashlar/core';
import { withCanonicalMetadata } from './canonical-object.ts';

/**
 * An object that differs from the stored one in nothing but the times of its field owners gets the old times, so that
 * writing it changes nothing (semantics F8).
 */
export function keepManagedFieldTimes(object: ApiObject, stored: ApiObject): ApiObject {
  const before = stored.metadata.managedFields ?? [];
  const after = object.metadata.managedFields ?? [];
  if (before.length !== after.length || !sameOwners(before, after)) return object;
  const settled = withCanonicalMetadata(object, { managedFields: before });
  return jsonEqual(plain(settled), plain(stored)) ? settled : object;
}

function sameOwners(before: readonly ManagedFieldsEntry[], after: readonly ManagedFieldsEntry[]): boolean {
  const untimed = (entry: ManagedFieldsEntry): string => JSON.stringify({ ...entry, time: undefined });
  const known = new Set(before.map(untimed));
  return after.every((entry) => known.has(untimed(entry)));
}

function plain({ metadata: { resourceVersion: _, ...metadata }, ...rest }: ApiObject): JsonValue {
  return { ...rest, metadata } as unknown as JsonValue;
}
