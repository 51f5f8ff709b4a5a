import {
  compareUtf8,
  doneSteps,
  isJsonObject,
  type ManagedFieldsEntry,
  runAtOnce,
  type Steps,
} from '@ashlar/core';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { encodeFieldSetSteps, readSettledFieldSet } from '../fieldpath/field-set-codec.ts';
import { reconcileFieldSet } from '../typed/reconcile-field-set.ts';
import { isDue } from '../values/large-parts.ts';
import type { FieldsByShape } from './fields-by-shape.ts';
import {
  decodeEntry,
  readManager,
  type SettledEntry,
  settledEntry,
  sortEntries,
  toEntry,
} from './managed-fields-entry.ts';
import {
  identityOf,
  ManagedFieldsError,
  type Manager,
  type ManagerIdentity,
  type Tracked,
  type TypeOf,
  toTracked,
  trackedWith,
} from './manager.ts';

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
   * @param known remembers the fields of entries
   * @throws ManagedFieldsError as {@link decode} does
   */
  static *decodeSteps(
    entries: unknown,
    typeOf?: TypeOf,
    known?: FieldsByShape<FieldSet | undefined>,
  ): Steps<Managers> {
    const managers = new Managers();
    if (entries === undefined || entries === null) return managers;
    if (!Array.isArray(entries)) throw new ManagedFieldsError('managedFields is not a list');
    for (const [index, entry] of entries.entries()) {
      if (isDue(VALUES_OF_ENTRY)) yield;
      if (!isJsonObject(entry))
        throw new ManagedFieldsError(`managed fields entry ${index} is not an object`);
      const settled = typeOf && settledEntry(entry, typeOf);
      const fields = settled && (yield* settledFields(settled, known));
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
    this.#track(toTracked(manager));
  }

  /** Gives a manager exactly these fields. */
  setFields(identity: ManagerIdentity, fields: FieldSet): void {
    this.#track(trackedWith(identity, fields));
  }

  #track(tracked: Tracked): void {
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
      const asRead = origin?.fields === fields && origin.entry?.time === time ? origin.entry : undefined;
      entries.push(asRead ?? toEntry(manager, time, yield* encodeFieldSetSteps(fields)));
    }
    return sortEntries(entries);
  }
}

function settledFields(
  { fieldsV1, type }: SettledEntry,
  known: FieldsByShape<FieldSet | undefined> | undefined,
): Steps<FieldSet | undefined> {
  const read = (): Steps<FieldSet | undefined> => readSettledFieldSet(fieldsV1, type);
  return known ? known.of(fieldsV1, type, read) : read();
}

const ALL_FITTING: Steps<void> = doneSteps(undefined);

/** Whether the fields were checked against the type that their version has now. */
function isFitting({ apiVersion, fields, origin }: Tracked, typeOf: TypeOf): boolean {
  return origin !== undefined && origin.fields === fields && origin.type === typeOf(apiVersion);
}

/** Work units of an entry between two pauses. */
const VALUES_OF_ENTRY = 32;
