import type { JsonObject, JsonValue, ManagedFieldsEntry } from '@ashlar/core';
import { compareUtf8, isJsonObject, millisecondsOf, ParseError, parseTime } from '@ashlar/core';
import { FieldSet } from './field-set.ts';
import { decodeFieldSet, encodeFieldSet, FieldSetError } from './field-set-codec.ts';

/** Whose entry it is (semantics F2). The version tells the updates of one manager apart, but not its applies. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/** What a manager owns. */
export interface Manager extends ManagerIdentity {
  readonly fields: FieldSet;
}

/** Managed fields that do not read as such; the message says why. */
export class ManagedFieldsError extends Error {
  override readonly name: string = 'ManagedFieldsError';
}

/** The managers of one object while a request changes them, by identity. */
export class Managers {
  readonly #managers: Map<string, Manager> = new Map();
  /** Kept for managers that lost everything too: within one request they may come back. */
  readonly #times: Map<string, string> = new Map();

  /**
   * Reads `metadata.managedFields`; of two entries of one manager the last counts (semantics F2, F9).
   *
   * @throws ManagedFieldsError for entries that are malformed
   */
  static decode(entries: unknown): Managers {
    const managers = new Managers();
    if (entries === undefined || entries === null) return managers;
    if (!Array.isArray(entries)) throw new ManagedFieldsError('managedFields is no list');
    entries.forEach((entry: JsonValue, index) => {
      managers.#add(entry, index);
    });
    return managers;
  }

  #add(entry: JsonValue, index: number): void {
    if (!isJsonObject(entry)) throw new ManagedFieldsError(`managed fields entry ${index} is no object`);
    const manager = decodeEntry(entry, index);
    this.set(manager);
    if (typeof entry.time === 'string') this.#times.set(identityOf(manager), entry.time);
    else this.#times.delete(identityOf(manager));
  }

  get isEmpty(): boolean {
    return this.#managers.size === 0;
  }

  get(identity: ManagerIdentity): Manager | undefined {
    return this.#managers.get(identityOf(identity));
  }

  set(manager: Manager): void {
    this.#managers.set(identityOf(manager), manager);
  }

  delete(identity: ManagerIdentity): void {
    this.#managers.delete(identityOf(identity));
  }

  time(identity: ManagerIdentity): string | undefined {
    return this.#times.get(identityOf(identity));
  }

  setTime(identity: ManagerIdentity, time: string | undefined): void {
    if (time === undefined) this.#times.delete(identityOf(identity));
    else this.#times.set(identityOf(identity), time);
  }

  /** All managers, by identity. */
  list(): Manager[] {
    return [...this.#managers.entries()].sort(([a], [b]) => compareUtf8(a, b)).map(([, manager]) => manager);
  }

  /** The entries as they are stored, in canonical order; undefined where there are none. */
  encode(): readonly ManagedFieldsEntry[] | undefined {
    if (this.isEmpty) return undefined;
    const entries = this.list().map((manager) => encodeEntry(manager, this.time(manager)));
    return entries.sort(compareEntries);
  }
}

/** A text that is equal for what belongs into one entry. */
export function identityOf(identity: ManagerIdentity): string {
  const known = identities.get(identity);
  if (known !== undefined) return known;
  const text = identityText(identity);
  identities.set(identity, text);
  return text;
}

const identities: WeakMap<ManagerIdentity, string> = new WeakMap();

/** The JSON of what identifies: entries of equal age are ordered by it. */
function identityText({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const name = manager === '' ? '' : `"manager":${JSON.stringify(manager)},`;
  const version = operation === 'Update' ? `,"apiVersion":${JSON.stringify(apiVersion)}` : '';
  const part = subresource === '' ? '' : `,"subresource":${JSON.stringify(subresource)}`;
  return `{${name}"operation":"${operation}"${version}${part}}`;
}

function decodeEntry(entry: JsonObject, index: number): Manager {
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
    fields: decodeFields(entry.fieldsV1),
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

function decodeFields(fields: JsonValue | undefined): FieldSet {
  if (fields === undefined || fields === null) return FieldSet.EMPTY;
  try {
    return decodeFieldSet(fields);
  } catch (error) {
    if (error instanceof FieldSetError) throw new ManagedFieldsError(`error decoding set: ${error.message}`);
    throw error;
  }
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** An entry as it is stored. */
export function encodeEntry(manager: Manager, time: string | undefined): ManagedFieldsEntry {
  return {
    ...(manager.manager !== '' && { manager: manager.manager }),
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFieldSet(manager.fields),
    ...(manager.subresource !== '' && { subresource: manager.subresource }),
  };
}

/** The order of entries: appliers first, then by time, name, version and subresource (semantics F2). */
export function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareUtf8(a.operation ?? '', b.operation ?? '') ||
    wholeSeconds(a.time) - wholeSeconds(b.time) ||
    compareUtf8(a.manager ?? '', b.manager ?? '') ||
    compareUtf8(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareUtf8(a.subresource ?? '', b.subresource ?? '')
  );
}

/** Seconds since 1970; no time, and one that does not read, counts as 0. */
export function wholeSeconds(time: string | undefined): number {
  if (time === undefined) return 0;
  try {
    return Math.floor(millisecondsOf(parseTime(time)) / 1000);
  } catch (error) {
    if (error instanceof ParseError) return 0;
    throw error;
  }
}
