import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ManagedFieldsEntry,
  StatusError,
  valueAt,
} from '@ashlar/core';

/** Exactly one empty entry. An empty list does not reset (semantics/differences#reset-of-managed-fields). */
export function isResetRequest(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  const [first, ...others] = entries ?? [];
  return first !== undefined && others.length === 0 && isJsonObject(first) && Object.keys(first).length === 0;
}

/** Whether a configuration has managed fields that are null: no object is equal to what they are merged into. */
export const namesNoOwners = (config: JsonObject): boolean =>
  valueAt(config, ['metadata', 'managedFields']) === null;

/** Whether a configuration names no owners, as it must. */
export const isWithoutOwners = (config: JsonObject): boolean =>
  (valueAt(config, ['metadata', 'managedFields']) ?? null) === null;

/** @throws StatusError 400 for a configuration with managed fields that can be read */
export function requireNoManagedFields(config: JsonObject): void {
  const entries = valueAt(config, ['metadata', 'managedFields']);
  if (Array.isArray(entries) && entries.every(isReadableEntry))
    throw StatusError.badRequest('metadata.managedFields must be nil');
}

// that a time is no text, the type does not say
const TEXTS = ['manager', 'operation', 'apiVersion', 'fieldsType', 'subresource'];

/** Others do not fit the type of managed fields, which is found when the configuration is checked against it. */
function isReadableEntry(entry: JsonValue): boolean {
  if (!isJsonObject(entry)) return false;
  return TEXTS.every((name) => typeof (entry[name] ?? '') === 'string');
}
