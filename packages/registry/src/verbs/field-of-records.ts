import type { ApiObject } from '@ashlar/core';
import type { ObjectRecord } from '@ashlar/storage';
import type { ResourceDefinition, ResourceVersion } from '../definition/resource-definition.ts';
import { objectDecoder } from '../objects/create-object-decoder.ts';
import { isLargeRecord } from '../objects/large-object.ts';

/** Reads a selectable field of an object; empty if it is absent. */
export type RecordField = (record: ObjectRecord) => string;

const byVersion: WeakMap<ResourceVersion, Map<string, RecordField>> = new WeakMap();

/**
 * Reads a selectable field of objects that are stored in a version. Of a custom object only the members that lead to it are read, of a large
 * one once: hundreds of watches may select by fields of objects of megabytes.
 */
export function fieldOfRecords(
  definition: ResourceDefinition,
  version: ResourceVersion,
  field: string,
): RecordField {
  const fields = byVersion.get(version) ?? new Map<string, RecordField>();
  byVersion.set(version, fields);
  let read = fields.get(field);
  if (!read) {
    read = onceIfLarge(readerOf(definition, version, field));
    fields.set(field, read);
  }
  return read;
}

function readerOf(definition: ResourceDefinition, version: ResourceVersion, field: string): RecordField {
  const { fromStorage, selectableFields } = version;
  const ofObject = (object: ApiObject): string => selectableFields?.valueOf(object, field) ?? '';
  if (definition.dialect !== 'custom') return ({ object }) => ofObject(fromStorage?.(object) ?? object);
  const path = selectableFields?.pathOf?.(field);
  const { readStored } = objectDecoder(definition, version);
  return (record) => ofObject(readStored(path ? (record.part(path) as unknown as ApiObject) : record.object));
}

/** Values stay with the bytes: an engine makes a new record of them whenever it compares an object that nobody has read. */
function onceIfLarge(read: RecordField): RecordField {
  const known: WeakMap<Uint8Array, string> = new WeakMap();
  return (record) => {
    if (!isLargeRecord(record)) return read(record);
    const value = known.get(record.stored) ?? read(record);
    known.set(record.stored, value);
    return value;
  };
}
