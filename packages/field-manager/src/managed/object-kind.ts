import {
  type ApiObject,
  type GroupVersionKind,
  groupVersionKindText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseApiVersion,
  valueAt,
} from '@ashlar/core';

/** The group, version and kind that an object names; empty where it names none. */
export function kindOf(object: JsonValue): GroupVersionKind {
  const { apiVersion, kind } = isJsonObject(object) ? object : {};
  const parsed = parseApiVersion(typeof apiVersion === 'string' ? apiVersion : '');
  if (!parsed) return { group: '', version: '', kind: '' };
  return { ...parsed, kind: typeof kind === 'string' ? kind : '' };
}

/** `ns/name; group/version, Kind=K`, as far as the object has them. */
export function describeObject(object: ApiObject | JsonObject): string {
  const namespace = valueAt(object, ['metadata', 'namespace']) ?? '';
  const name = valueAt(object, ['metadata', 'name']) ?? '';
  return `${namespace}/${name}; ${groupVersionKindText(kindOf(object as JsonObject))}`;
}
