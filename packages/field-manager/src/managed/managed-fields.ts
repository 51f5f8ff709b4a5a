import {
  CodedError,
  compareUtf8,
  doneSteps,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ManagedFieldsEntry,
  millisecondsOf,
  ParseError,
  parseTime,
  runAtOnce,
  type Steps,
} from '@ashlar/core';
import { FieldSet } from '../fieldpath/field-set.ts';
import {
  decodeFieldSetSteps,
  encodeFieldSet,
  encodeFieldSetSteps,
  FieldSetError,
  readSettledFieldSet,
} from '../fieldpath/field-set-codec.ts';
import type { FieldType } from '../typed/field-type.ts';
import { reconcileFieldSet } from '../typed/reconcile-field-set.ts';
import { isDue } from '../values/large-parts.ts';

/**
 * Identity of an entry (semantics/apply#managers). The version distinguishes the updates of one manager, but
 * not its applies.
 */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/** The fields that a manager owns. */
export interface Manager extends ManagerIdentity {
  readonly fields: FieldSet;
}

/** Invalid managed fields; the message says why. */
export class ManagedFieldsError extends CodedError {
  static override readonly code: string = 'ERR_MANAGED_FIELDS';
  override readonly name: string = 'ManagedFieldsError';
}

/** A manager during a request. */
interface Tracked extends Manager {
  readonly identity: string;
  /** The text that it was decoded from, if encoding would produce the same. */
  readonly origin: Origin | undefined;
}

interface Origin {
  readonly entry: ManagedFieldsEntry;
  readonly fields: FieldSet;
  /** The type that the fields belong to. */
  readonly type: FieldType;
}

/** Field types of a version. */
type TypeOf = (apiVersion: string) => FieldType | undefined;

/** The managers of one object during a request, by identity. */
export class Managers {
  readonly #managers: Map<string, Tracked> = new Map();
  /** Includes managers without fields: within one request they may get some again. */
  readonly #times: Map<string, string> = new Map();
  #sorted: readonly Tracked[] | undefined;

  /**
   * Decodes `metadata.managedFields`; the last of several entries of one manager counts
   * (semantics/apply#managers, #submitted-managed-fields).
   *
   * @param typeOf allows well-formed entries to be decoded on demand, and written unchanged
   * @throws ManagedFieldsError for malformed entries
   */
  static decode(entries: unknown, typeOf?: TypeOf): Managers {
    return runAtOnce(Managers.decodeSteps(entries, typeOf));
  }

  /**
   * {@link decode} that pauses.
   *
   * @throws ManagedFieldsError as {@link decode} does
   */
  static *decodeSteps(entries: unknown, typeOf?: TypeOf): Steps<Managers> {
    const managers = new Managers();
    if (entries === undefined || entries === null) return managers;
    if (!Array.isArray(entries)) throw new ManagedFieldsError('managedFields is not a list');
    for (const [index, entry] of entries.entries()) {
      if (isDue(VALUES_OF_ENTRY)) yield;
      if (!isJsonObject(entry))
        throw new ManagedFieldsError(`managed fields entry ${index} is not an object`);
      const settled = typeOf && settledEntry(entry, typeOf);
      const fields = settled && (yield* readSettledFieldSet(settled.fieldsV1, settled.type));
      const manager =
        fields && !fields.isEmpty ? readManager(settled, fields) : yield* decodeEntry(entry, index);
      managers.set(manager);
      managers.setTime(manager, typeof entry.time === 'string' ? entry.time : undefined);
    }
    return managers;
  }

  /** The same managers, to be changed apart. */
  copy(): Managers {
    const copy = new Managers();
    for (const [identity, manager] of this.#managers) copy.#managers.set(identity, manager);
    for (const [identity, time] of this.#times) copy.#times.set(identity, time);
    copy.#sorted = this.#sorted;
    return copy;
  }

  get isEmpty(): boolean {
    return this.#managers.size === 0;
  }

  get count(): number {
    return this.#managers.size;
  }

  get(identity: ManagerIdentity): Manager | undefined {
    return this.#managers.get(identityOf(identity));
  }

  set(manager: Manager): void {
    const tracked = toTracked(manager);
    this.#managers.set(tracked.identity, tracked);
    this.#sorted = undefined;
  }

  delete(identity: ManagerIdentity): void {
    if (this.#managers.delete(identityOf(identity))) this.#sorted = undefined;
  }

  time(identity: ManagerIdentity): string | undefined {
    return this.#times.get(identityOf(identity));
  }

  setTime(identity: ManagerIdentity, time: string | undefined): void {
    if (time === undefined) this.#times.delete(identityOf(identity));
    else this.#times.set(identityOf(identity), time);
  }

  /** All managers, by identity. */
  list(): readonly Manager[] {
    this.#sorted ??= [...this.#managers.values()].sort((a, b) => compareUtf8(a.identity, b.identity));
    return this.#sorted;
  }

  /** Drops managers of versions that are not known, and fits the fields of the others to what the schema says now. */
  fitTo(typeOf: TypeOf): Steps<void> {
    for (const manager of this.#managers.values())
      if (!isFitting(manager, typeOf)) return this.#fitTo(typeOf);
    return ALL_FITTING;
  }

  *#fitTo(typeOf: TypeOf): Steps<void> {
    for (const manager of [...this.#managers.values()]) {
      if (isDue(VALUES_OF_ENTRY)) yield;
      const type = typeOf(manager.apiVersion);
      const { fields } = manager;
      if (!type) this.delete(manager);
      else if (!isFitting(manager, typeOf)) {
        const fitting = yield* reconcileFieldSet(fields, type);
        if (fitting !== fields) this.set({ ...manager, fields: fitting });
      }
    }
  }

  /** The entries to store, in canonical order; undefined if there are none. Pauses if there are many. */
  *encodeSteps(): Steps<readonly ManagedFieldsEntry[] | undefined> {
    if (this.isEmpty) return undefined;
    const entries: ManagedFieldsEntry[] = [];
    for (const manager of this.#managers.values()) {
      if (isDue(VALUES_OF_ENTRY)) yield;
      const time = this.#times.get(manager.identity);
      const { origin, fields } = manager;
      const isAsRead = origin?.fields === fields && origin.entry.time === time;
      entries.push(isAsRead ? origin.entry : toEntry(manager, time, yield* encodeFieldSetSteps(fields)));
    }
    return sortEntries(entries);
  }
}

const ALL_FITTING: Steps<void> = doneSteps(undefined);

/** Whether the fields were checked against the type that their version has now. */
function isFitting({ apiVersion, fields, origin }: Tracked, typeOf: TypeOf): boolean {
  return origin !== undefined && origin.fields === fields && origin.type === typeOf(apiVersion);
}

/** Work units of an entry between two pauses. */
const VALUES_OF_ENTRY = 32;

function toTracked(manager: Manager & Partial<Tracked>): Tracked {
  const { manager: name, operation, apiVersion, subresource, fields, origin } = manager;
  const identity = identityOf(manager);
  return { manager: name, operation, apiVersion, subresource, fields, identity, origin };
}

/** With its text, for what asks for it again and again. */
export function withIdentityText(identity: ManagerIdentity): ManagerIdentity {
  return { ...identity, identity: identityText(identity) } as ManagerIdentity;
}

/** A text that is equal for what belongs into one entry. */
export function identityOf(identity: ManagerIdentity & Partial<Tracked>): string {
  return identity.identity ?? identityText(identity);
}

/** The JSON of the identity: entries of equal age are sorted by it. */
function identityText({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const name = manager === '' ? '' : `"manager":${JSON.stringify(manager)},`;
  const version = operation === 'Update' ? `,"apiVersion":${JSON.stringify(apiVersion)}` : '';
  const part = subresource === '' ? '' : `,"subresource":${JSON.stringify(subresource)}`;
  return `{${name}"operation":"${operation}"${version}${part}}`;
}

const ENTRY_KEYS: readonly string[] = [
  'manager',
  'operation',
  'apiVersion',
  'time',
  'fieldsType',
  'fieldsV1',
  'subresource',
];

/** An entry that would be written as it is if its fields are. */
interface SettledEntry extends ManagerIdentity {
  readonly entry: ManagedFieldsEntry;
  readonly fieldsV1: JsonObject;
  readonly type: FieldType;
}

/** Undefined for an entry that would be written otherwise, or of a version that is not known. */
function settledEntry(entry: JsonObject, typeOf: TypeOf): SettledEntry | undefined {
  const { manager = '', operation, apiVersion, fieldsType, fieldsV1, subresource = '' } = entry;
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (typeof apiVersion !== 'string' || fieldsType !== 'FieldsV1') return undefined;
  if (typeof manager !== 'string' || typeof subresource !== 'string') return undefined;
  const type = typeOf(apiVersion);
  if (!type || !isJsonObject(fieldsV1) || !isInOrder(entry)) return undefined;
  const managed = entry as ManagedFieldsEntry;
  return { manager, operation, apiVersion, subresource, entry: managed, fieldsV1, type };
}

function readManager(settled: SettledEntry, fields: FieldSet): Tracked {
  const { manager, operation, apiVersion, subresource, entry, type } = settled;
  const identity = identityText(settled);
  return { manager, operation, apiVersion, subresource, fields, identity, origin: { entry, fields, type } };
}

/** Whether the keys are those of an entry in canonical order, and none is empty. */
function isInOrder(entry: JsonObject): boolean {
  let last = -1;
  for (const key in entry) {
    const position = ENTRY_KEYS.indexOf(key);
    if (position <= last || entry[key] === '' || entry[key] === undefined) return false;
    last = position;
  }
  return entry.time === undefined || typeof entry.time === 'string';
}

function* decodeEntry(entry: JsonObject, index: number): Steps<Manager> {
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

function toEntry(
  { manager, operation, apiVersion, subresource }: ManagerIdentity,
  time: string | undefined,
  fieldsV1: JsonObject,
): ManagedFieldsEntry {
  const entry: { -readonly [K in keyof ManagedFieldsEntry]: ManagedFieldsEntry[K] } = {};
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
  const seconds = new Map<string | undefined, number>();
  for (const { time } of entries) if (!seconds.has(time)) seconds.set(time, wholeSeconds(time));
  return entries.sort(
    (a, b) =>
      compareUtf8(a.operation ?? '', b.operation ?? '') ||
      (seconds.get(a.time) ?? 0) - (seconds.get(b.time) ?? 0) ||
      compareUtf8(a.manager ?? '', b.manager ?? '') ||
      compareUtf8(a.apiVersion ?? '', b.apiVersion ?? '') ||
      compareUtf8(a.subresource ?? '', b.subresource ?? ''),
  );
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
