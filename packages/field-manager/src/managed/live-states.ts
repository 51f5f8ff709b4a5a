import { type ApiObject, doneSteps, type JsonObject, type Steps } from '@ashlar/core';
import type { FieldSet } from '../fieldpath/field-set.ts';
import type { KindVersions, VersionedObject } from '../merge/kind-versions.ts';
import { requireTypedSteps } from './check-typed.ts';
import { FieldsByShape } from './fields-by-shape.ts';
import { Managers } from './managed-fields.ts';
import { ManagedFieldsError } from './manager.ts';
import { withManagedFields } from './with-managed-fields.ts';

/** A live object, or what stands for none, and its managed fields. */
export interface LiveState {
  readonly object: ApiObject;
  readonly managers: Managers;
  /** The object without its managed fields, valid for its type. */
  typed: VersionedObject | undefined;
}

/** Reads live objects in one version of a kind. */
export class LiveStates {
  /** What a new object is compared to. */
  readonly nothing: LiveState;
  readonly #apiVersion: string;
  readonly #versions: KindVersions;
  /** What entries of managers say. */
  readonly #decoded: FieldsByShape<FieldSet | undefined> = new FieldsByShape();
  /** Objects that an apply left as they were: the next one is likely to find them again. */
  readonly #kept: WeakMap<ApiObject, LiveState> = new WeakMap();

  /** @param emptyObject what stands for no object */
  constructor(apiVersion: string, versions: KindVersions, emptyObject: ApiObject) {
    this.#apiVersion = apiVersion;
    this.#versions = versions;
    this.nothing = { object: emptyObject, managers: new Managers(), typed: undefined };
  }

  /** The state of a live object, or of none. */
  of(live: ApiObject | undefined): Steps<LiveState> {
    const state = live ? this.#kept.get(live) : this.nothing;
    return state ? doneSteps(state) : this.#read(live as ApiObject);
  }

  /** Keeps the state of an object as long as that is used. */
  keep(live: ApiObject, state: LiveState): void {
    this.#kept.set(live, state);
  }

  *#read(object: ApiObject): Steps<LiveState> {
    return { object, managers: yield* this.decode(object.metadata.managedFields), typed: undefined };
  }

  /** The managers of entries; none if one of these cannot be read. */
  *decode(entries: unknown): Steps<Managers> {
    try {
      return yield* Managers.decodeSteps(entries, this.#versions.typeOf, this.#decoded);
    } catch (error) {
      if (error instanceof ManagedFieldsError) return new Managers();
      throw error;
    }
  }

  /**
   * The object of a state, which is valid for its type.
   *
   * @param failure as of {@link requireTypedSteps}
   * @throws StatusError as {@link requireTypedSteps} does
   */
  typed(state: LiveState, failure: string): Steps<VersionedObject> {
    const { typed } = state;
    const isKnown = typed !== undefined && typed.type === this.#versions.typeOf(this.#apiVersion);
    return isKnown ? doneSteps(typed) : this.#requireTyped(state, failure);
  }

  *#requireTyped(state: LiveState, failure: string): Steps<VersionedObject> {
    state.typed = yield* requireTypedSteps(this.versioned(state.object), failure);
    return state.typed;
  }

  /** An object without its managed fields, with its type. */
  versioned(source: ApiObject | JsonObject): VersionedObject {
    return this.asSubmitted(withManagedFields(source as ApiObject, undefined) as unknown as JsonObject);
  }

  /** An object as it is, with its type. */
  asSubmitted(object: JsonObject): VersionedObject {
    const type = this.#versions.typeOf(this.#apiVersion);
    if (!type) throw new TypeError(`no field type of ${this.#apiVersion}`);
    return { apiVersion: this.#apiVersion, object, type };
  }
}
