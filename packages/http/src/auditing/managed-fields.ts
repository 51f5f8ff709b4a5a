import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** Returns an object, a list or a table without records of who manages which field. */
export function withoutManagedFields(value: JsonObject): JsonObject {
  const own = ofObject(value) as JsonObject;
  const { items, rows } = own;
  if (Array.isArray(items)) return { ...own, items: items.map(ofObject) };
  return Array.isArray(rows) ? { ...own, rows: rows.map(ofRow) } : own;
}

function ofObject(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !isJsonObject(value.metadata)) return value;
  const { managedFields: _, ...metadata } = value.metadata;
  return { ...value, metadata };
}

function ofRow(row: JsonValue): JsonValue {
  return isJsonObject(row) && row.object !== undefined ? { ...row, object: ofObject(row.object) } : row;
}
