import {
  compareUtf8,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ManagedFieldsEntry,
  millisecondsOf,
  ParseError,
  parseTime,
  type Steps,
} from '@ashlar/core';
import { FieldSet } from '../fieldpath/field-set.ts';
import { decodeFieldSetSteps, encodeFieldSet, FieldSetError } from '../fieldpath/field-set-codec.ts';
import type { FieldType } from '../typed/field-type.ts';
import {
  identityText,
  ManagedFieldsError,
  type Manager,
  type ManagerIdentity,
  type Tracked,
  type TypeOf,
} from './manager.ts';

const ENTRY_KEYS: readonly string[] = [
  'manager',
  'operation',
  'apiVersion',
  'time',
  'fieldsType',
  'fieldsV1',
  'subresource',
];

/** An entry that would be written with the same members if its fields are. */
export interface SettledEntry extends ManagerIdentity {
  /** As it was read; undefined if its members would be written in another order, as those of custom objects are sorted by name. */
  readonly entry: ManagedFieldsEntry | undefined;
  readonly fieldsV1: JsonObject;
  readonly type: FieldType;
}

/** Undefined for an entry that would be written otherwise, or of a version that is not known. */
export function settledEntry(entry: JsonObject, typeOf: TypeOf): SettledEntry | undefined {
  const { manager = '', operation, apiVersion, fieldsType, fieldsV1, subresource = '' } = entry;
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (typeof apiVersion !== 'string' || fieldsType !== 'FieldsV1') return undefined;
  if (typeof manager !== 'string' || typeof subresource !== 'string') return undefined;
  const type = typeOf(apiVersion);
  if (!type || !isJsonObject(fieldsV1) || !isFilled(entry)) return undefined;
  const asRead = isInOrder(entry) ? (entry as ManagedFieldsEntry) : undefined;
  return { manager, operation, apiVersion, subresource, entry: asRead, fieldsV1, type };
}

export function readManager(settled: SettledEntry, fields: FieldSet): Tracked {
  const { manager, operation, apiVersion, subresource, entry, type } = settled;
  const identity = identityText(settled);
  return { manager, operation, apiVersion, subresource, fields, identity, origin: { entry, fields, type } };
}

/** Whether the members are those of an entry, and none is empty. */
function isFilled(entry: JsonObject): boolean {
  for (const key in entry)
    if (!ENTRY_KEYS.includes(key) || entry[key] === '' || entry[key] === undefined) return false;
  return entry.time === undefined || typeof entry.time === 'string';
}

function isInOrder(entry: JsonObject): boolean {
  let last = -1;
  for (const key in entry) {
    const position = ENTRY_KEYS.indexOf(key);
    if (position < last) return false;
    last = position;
  }
  return true;
}

export function* decodeEntry(entry: JsonObject, index: number): Steps<Manager> {
  const { operation, apiVersion } = entry;
  if (operation !== 'Apply' && operation !== 'Update')
    throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  if (typeof apiVersion !== 'string' || apiVersion === '')
    throw new ManagedFieldsError('apiVersion must not be empty');
  requireFieldsType(entry.fieldsType, index);
  return {
    manager: textOf(entry.manager),
    operation,
    apiVersion,
    subresource: textOf(entry.subresource),
    fields: yield* decodeFields(entry.fieldsV1),
  };
}

function requireFieldsType(fieldsType: JsonValue | undefined, index: number): void {
  if (fieldsType === 'FieldsV1') return;
  const text = textOf(fieldsType);
  throw new ManagedFieldsError(
    text === ''
      ? `missing fieldsType in managed fields entry ${index}`
      : `invalid fieldsType ${JSON.stringify(text)} in managed fields entry ${index}`,
  );
}

function* decodeFields(fields: JsonValue | undefined): Steps<FieldSet> {
  if (fields === undefined || fields === null) return FieldSet.EMPTY;
  try {
    return yield* decodeFieldSetSteps(fields);
  } catch (error) {
    if (error instanceof FieldSetError) throw new ManagedFieldsError(`error decoding set: ${error.message}`);
    throw error;
  }
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** An entry as it is stored. */
export function encodeEntry(manager: Manager, time: string | undefined): ManagedFieldsEntry {
  return toEntry(manager, time, encodeFieldSet(manager.fields));
}

export function toEntry(
  { manager, operation, apiVersion, subresource }: ManagerIdentity,
  time: string | undefined,
  fieldsV1: JsonObject,
): ManagedFieldsEntry {
  const entry: {
    -readonly [K in keyof ManagedFieldsEntry]: ManagedFieldsEntry[K];
  } = {};
  if (manager !== '') entry.manager = manager;
  entry.operation = operation;
  entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = fieldsV1;
  if (subresource !== '') entry.subresource = subresource;
  return entry;
}

/** Sorts entries in place: appliers first, then by time, name, version and subresource (semantics/apply#managers). */
export function sortEntries(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  if (entries.length < 2) return entries;
  const secondsOf = secondsOnce();
  return entries.sort(
    (a, b) =>
      compareUtf8(a.operation ?? '', b.operation ?? '') ||
      secondsOf(a.time) - secondsOf(b.time) ||
      compareUtf8(a.manager ?? '', b.manager ?? '') ||
      compareUtf8(a.apiVersion ?? '', b.apiVersion ?? '') ||
      compareUtf8(a.subresource ?? '', b.subresource ?? ''),
  );
}

/** As {@link wholeSeconds}, which reads each time once, and none that decides nothing: usually there is one entry of each operation. */
function secondsOnce(): (time: string | undefined) => number {
  const known = new Map<string | undefined, number>();
  return (time) => {
    const seconds = known.get(time) ?? wholeSeconds(time);
    known.set(time, seconds);
    return seconds;
  };
}

/** Seconds since 1970; absent and invalid times count as 0. */
export function wholeSeconds(time: string | undefined): number {
  if (time === undefined) return 0;
  try {
    return Math.floor(millisecondsOf(parseTime(time)) / 1000);
  } catch (error) {
    if (ParseError.is(error)) return 0;
    throw error;
  }
}
