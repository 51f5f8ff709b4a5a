import {
  type ApiObject,
  type Clock,
  type GroupVersionKind,
  groupVersionKindText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  runAtOnce,
  StatusError,
  type Steps,
  timestampText,
  type Vocabulary,
} from '@ashlar/core';
import { FieldSet } from '../fieldpath/field-set.ts';
import { differenceSteps, recursiveDifferenceSteps, unionSteps } from '../fieldpath/field-set-steps.ts';
import { ApplyConflictError } from '../merge/apply-conflict.ts';
import type { KindVersions, VersionedObject } from '../merge/kind-versions.ts';
import { NEVER_OWNED } from '../merge/never-owned.ts';
import {
  applyConfiguration,
  type ConfiguredFields,
  configuredFields,
  recordUpdate,
} from '../merge/ownership.ts';
import { valuesEqualSteps } from '../values/compare-values.ts';
import { isLarge, weighAll } from '../values/large-parts.ts';
import { capManagers } from './cap-managers.ts';
import {
  isTooLarge,
  MAXIMUM_ITEMS,
  requireConfigurationSteps,
  requireFewItemsSteps,
  requireTypedSteps,
} from './check-typed.ts';
import { FieldsByShape, isWithoutValues } from './fields-by-shape.ts';
import { fieldsAppliedByClient, lastAppliedAnnotation, withLastApplied } from './last-applied.ts';
import { type LiveState, LiveStates } from './live-states.ts';
import { Managers } from './managed-fields.ts';
import { type ManagerIdentity, withIdentityText } from './manager.ts';
import { kindOf } from './object-kind.ts';
import {
  isResetRequest,
  isWithoutOwners,
  namesNoOwners,
  requireNoManagedFields,
} from './submitted-owners.ts';
import { withManagedFields } from './with-managed-fields.ts';

/** Options of a field manager: one endpoint of one kind in one version. */
export interface FieldManagerOptions {
  readonly kind: GroupVersionKind;
  /** Empty for the main endpoint. */
  readonly subresource?: string;
  readonly versions: KindVersions;
  readonly clock: Pick<Clock, 'now'>;
  readonly vocabulary: Vocabulary;
  /**
   * The base of a new object; built-in types have fields that are always present. By default only apiVersion
   * and kind.
   */
  readonly emptyObject?: ApiObject;
}

/** Options of a write. */
export interface WriteOptions {
  /** Name of the manager (semantics/apply#managers). */
  readonly manager: string;
  /** Whether the arguments are known to be small, so that no large parts are searched for. By default they are searched. */
  readonly isSmall?: boolean;
}

/** Options of an apply. */
export interface ApplyOptions extends WriteOptions {
  /** Whether to take ownership of conflicting fields. */
  readonly force?: boolean;
}

const BEFORE_FIRST_APPLY = 'before-first-apply';

/**
 * Merges applied configurations and tracks the ownership of fields (semantics/apply). Objects are in the
 * version of the endpoint; nothing is changed in place.
 *
 * @example
 * const fields = new FieldManager({ kind, versions, clock, vocabulary });
 * const created = fields.update(undefined, object, { manager: 'curl' });
 * fields.apply(created, config, { manager: 'm1' }); // throws 409 if m1 would change what curl owns
 */
export class FieldManager {
  readonly #options: FieldManagerOptions;
  readonly #apiVersion: string;
  readonly #annotation: string;
  readonly #states: LiveStates;
  /** What new objects give their manager; undefined where that depends on values. */
  readonly #created: FieldsByShape<FieldSet> | undefined;
  readonly #configured: FieldsByShape<ConfiguredFields> = new FieldsByShape();
  #lastIdentity: ManagerIdentity | undefined;

  constructor(options: FieldManagerOptions) {
    const { group, version } = options.kind;
    this.#options = options;
    this.#apiVersion = group === '' ? version : `${group}/${version}`;
    this.#annotation = lastAppliedAnnotation(options.vocabulary);
    const empty = { apiVersion: this.#apiVersion, kind: options.kind.kind };
    const object = options.emptyObject ?? (empty as ApiObject);
    this.#states = new LiveStates(this.#apiVersion, options.versions, object);
    if (isWithoutValues(object as unknown as JsonObject)) this.#created = new FieldsByShape();
  }

  /**
   * Tracks a create (without a live object), update or patch: returns the new object with its managed fields.
   * If the fields cannot be tracked the object loses its managed fields
   * (semantics/apply#submitted-managed-fields).
   *
   * @param next the object to be stored, with the managed fields of the request
   * @throws StatusError 413 if sets and list maps have more than 25,000 items in total
   */
  update(live: ApiObject | undefined, next: ApiObject, options: WriteOptions): ApiObject {
    return runAtOnce(this.#update(live, next, options));
  }

  /**
   * {@link update} that pauses where objects are large.
   *
   * @throws StatusError as {@link update} does
   */
  updateSteps(live: ApiObject | undefined, next: ApiObject, options: WriteOptions): Steps<ApiObject> {
    const steps = this.#update(live, next, options);
    return options.isSmall ? steps : afterWeighing(steps, live, next);
  }

  *#update(live: ApiObject | undefined, next: ApiObject, { manager }: WriteOptions): Steps<ApiObject> {
    // the status of a custom object can be written under the name of another kind, which has no fields
    if (next.kind !== this.#options.kind.kind) return withManagedFields(next, undefined);
    try {
      const state = yield* this.#states.of(live);
      const { managers, isReset } = yield* this.#requestedManagers(live, state, next);
      // It was never applied: it stays untracked until its first apply.
      const isLost = live && managers.isEmpty && !isReset;
      if (isLost || !this.#areConvertible(managers)) return withManagedFields(next, undefined);
      yield* this.#recordUpdate(state, next, managers, manager);
      return withManagedFields(next, yield* managers.encodeSteps());
    } catch (error) {
      if (error instanceof TypeError || isTooLarge(error)) throw error;
      return withManagedFields(next, undefined);
    }
  }

  /**
   * Applies a configuration to a live object, if any: returns the merged object with its managed fields, not
   * yet defaulted (semantics/apply#apply-algorithm).
   *
   * @throws StatusError 400 for an invalid configuration, 409 for conflicts unless `force` is set, 413 if
   * sets and list maps have more than 25,000 items in total
   */
  apply(live: ApiObject | undefined, config: JsonValue, options: ApplyOptions): ApiObject {
    return runAtOnce(this.#applyKind(live, config, options));
  }

  /**
   * {@link apply} that pauses where objects are large.
   *
   * @throws StatusError as {@link apply} does
   */
  applySteps(live: ApiObject | undefined, config: JsonValue, options: ApplyOptions): Steps<ApiObject> {
    const steps = this.#applyKind(live, config, options);
    return options.isSmall ? steps : afterWeighing(steps, live, config);
  }

  *#applyKind(live: ApiObject | undefined, config: JsonValue, options: ApplyOptions): Steps<ApiObject> {
    const configuration = this.#requireKind(config);
    const isClient = options.manager === this.#options.vocabulary.clientName;
    const applied = yield* this.#applyAllowing(live, configuration, options, isClient);
    return isClient ? withLastApplied(applied, configuration, this.#annotation) : applied;
  }

  /** Conflicts with the client's own client-side apply are ignored (semantics/apply#migration). */
  *#applyAllowing(
    live: ApiObject | undefined,
    config: JsonObject,
    options: ApplyOptions,
    isClient: boolean,
  ): Steps<ApiObject> {
    try {
      return yield* this.#apply(live, config, options);
    } catch (error) {
      if (!(error instanceof ApplyConflictError)) throw error;
      const own =
        isClient && live
          ? yield* fieldsAppliedByClient(this.#states.versioned(live), this.#annotation)
          : FieldSet.EMPTY;
      const left = yield* error.withoutSteps(own);
      if (left) throw yield* left.statusErrorSteps();
      return yield* this.#apply(live, config, { ...options, force: true });
    }
  }

  *#apply(
    live: ApiObject | undefined,
    config: JsonObject,
    { manager, force }: ApplyOptions,
  ): Steps<ApiObject> {
    const state = yield* this.#states.of(live);
    const managers = state.managers.copy();
    if (live && managers.isEmpty) yield* this.#recordExisting(live, managers);
    requireNoManagedFields(config);
    const identity = this.#identity(manager, 'Apply');
    // entries that are none are errors of the type
    if (!isWithoutOwners(config)) yield* requireConfigurationSteps(this.#states.asSubmitted(config));
    const typed = this.#states.versioned(config);
    const fields = yield* this.#configured.of(typed.object, typed.type, () => this.#fieldsOf(typed));
    const before = yield* this.#states.typed(state, 'failed to create typed live object (%s)');
    const { versions } = this.#options;
    const next = yield* applyConfiguration(
      versions,
      before,
      typed,
      fields,
      managers,
      identity,
      force ?? false,
    );
    const isChanged = namesNoOwners(config) || !(yield* valuesEqualSteps(before.object, next.object));
    if (isChanged && isLarge(next.object)) yield* requireFewItemsSteps(next);
    if (isChanged) managers.setTime(identity, this.#now());
    const entries = yield* managers.encodeSteps();
    if (isChanged) return withManagedFields(next.object as unknown as ApiObject, entries);
    if (!live || !isSameList(entries, live.metadata.managedFields))
      return withManagedFields(before.object as unknown as ApiObject, entries);
    this.#states.keep(live, state);
    return live;
  }

  /** Checks a configuration, and finds out what it names. @throws StatusError 400, 413 */
  *#fieldsOf(configuration: VersionedObject): Steps<ConfiguredFields> {
    yield* requireConfigurationSteps(configuration);
    return yield* configuredFields(this.#options.versions, configuration);
  }

  /** Fields from before the first apply belong to a manager of their own, so that an apply conflicts with it. */
  *#recordExisting(live: ApiObject, managers: Managers): Steps<void> {
    try {
      yield* this.#recordUpdate(this.#states.nothing, live, managers, BEFORE_FIRST_APPLY);
    } catch (error) {
      if (!StatusError.is(error) || isTooLarge(error)) throw error;
      const message = `failed to create manager for existing fields: ${error.message}`;
      throw new StatusError({ code: 500, reason: '', message }, error);
    }
  }

  #areConvertible(managers: Managers): boolean {
    const { versions } = this.#options;
    return managers.list().every(({ apiVersion }) => versions.isConvertible?.(apiVersion) ?? true);
  }

  *#recordUpdate(state: LiveState, next: ApiObject, managers: Managers, manager: string): Steps<void> {
    const isNew = state === this.#states.nothing && managers.isEmpty;
    const fields = isNew
      ? yield* this.#fieldsOfNew(next)
      : yield* this.#changedFields(state, this.#states.versioned(next), managers);
    if (!fields.isEmpty) {
      const identity = this.#identity(manager, 'Update');
      const previous = managers.get(identity)?.fields ?? FieldSet.EMPTY;
      managers.setFields(identity, yield* unionSteps(previous, fields));
      managers.setTime(identity, this.#now());
    }
    yield* capManagers(managers);
  }

  #fieldsOfNew(next: ApiObject): Steps<FieldSet> {
    const created = this.#states.versioned(next);
    const find = (): Steps<FieldSet> => this.#changedFields(this.#states.nothing, created, new Managers());
    return this.#created ? this.#created.of(created.object, created.type, find) : find();
  }

  /** The fields that the manager of an update gains; all others lose them. @throws StatusError 413, 500 */
  *#changedFields(state: LiveState, next: VersionedObject, managers: Managers): Steps<FieldSet> {
    const after = yield* requireTypedSteps(
      next,
      'failed to convert new object (%s) to smd typed',
      MAXIMUM_ITEMS,
    );
    const before = yield* this.#states.typed(state, 'failed to convert live object (%s) to smd typed');
    const changed = yield* recordUpdate(this.#options.versions, before, after, managers);
    const reset = this.#options.versions.resetFields?.(this.#apiVersion) ?? FieldSet.EMPTY;
    return yield* differenceSteps(yield* recursiveDifferenceSteps(changed, reset), NEVER_OWNED);
  }

  /**
   * The managers after a request: its own edit of the list, or those of the live object
   * (semantics/apply#submitted-managed-fields).
   */
  *#requestedManagers(
    live: ApiObject | undefined,
    state: LiveState,
    next: ApiObject,
  ): Steps<{ managers: Managers; isReset: boolean }> {
    const requested = next.metadata.managedFields;
    const isOther = !jsonEqual(requested as JsonValue, live?.metadata.managedFields as JsonValue);
    if (!isOther || this.#options.subresource) return { managers: state.managers.copy(), isReset: false };
    if (isResetRequest(requested)) return { managers: new Managers(), isReset: true };
    const edited = yield* this.#states.decode(requested);
    return { managers: edited.isEmpty ? state.managers.copy() : edited, isReset: false };
  }

  #requireKind(config: JsonValue): JsonObject {
    const expected = this.#options.kind;
    const found = kindOf(config);
    const isExpected =
      found.kind === expected.kind && found.version === expected.version && found.group === expected.group;
    if (isJsonObject(config) && isExpected) return config;
    throw StatusError.badRequest(`invalid object type: ${groupVersionKindText(found)}`);
  }

  /** Writes of one manager come one after the other: its identity is made once for them. */
  #identity(manager: string, operation: 'Apply' | 'Update'): ManagerIdentity {
    const name = manager === '' ? 'unknown' : manager;
    const last = this.#lastIdentity;
    if (last?.manager === name && last.operation === operation) return last;
    const { subresource = '' } = this.#options;
    const apiVersion = this.#apiVersion;
    this.#lastIdentity = withIdentityText({ manager: name, operation, apiVersion, subresource });
    return this.#lastIdentity;
  }

  #now(): string {
    return timestampText(this.#options.clock.now());
  }
}

function isSameList(a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean {
  return a === b || (a?.length === b?.length && a?.every((entry, index) => entry === b?.[index]) === true);
}

/** Finds out what is large in some values before work on them begins. */
function* afterWeighing<T>(steps: Steps<T>, ...values: readonly unknown[]): Steps<T> {
  yield* weighAll(...values);
  return yield* steps;
}
