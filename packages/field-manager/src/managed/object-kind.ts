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
  const { group, version } = parsed;
  return { group, version, kind: typeof kind === 'string' ? kind : '' };
}

/** `ns/name; group/version, Kind=K`, as far as the object has them. */
export function describeObject(object: ApiObject | JsonObject): string {
  return `${textAt(object, 'namespace')}/${textAt(object, 'name')}; ${groupVersionKindText(kindOf(object as JsonObject))}`;
}

function textAt(object: ApiObject | JsonObject, name: string): string {
  const value = valueAt(object, ['metadata', name]);
  return typeof value === 'string' ? value : '';
}
