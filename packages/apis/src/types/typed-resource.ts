import type { ApiObject } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';

/** An object with a spec and an optional status. */
export interface CustomObject<Spec, Status> extends ApiObject {
  readonly spec: Spec;
  readonly status?: Status;
}

/** A resource type with the TypeScript types of its objects. */
export interface TypedResourceDefinition<Spec, Status, NewSpec = Spec> extends ResourceDefinition {
  /** Never set: carries the types. */
  readonly objectTypes?: {
    readonly object: CustomObject<Spec, Status>;
    readonly newObject: CustomObject<NewSpec, Status>;
  };
}

type ObjectTypes<Definition extends { readonly objectTypes?: unknown }> = NonNullable<
  Definition['objectTypes']
>;

/**
 * The objects of a resource type as read: defaults are filled in.
 * @example type Widget = ObjectOf<typeof widgets>;
 */
export type ObjectOf<Definition extends TypedResourceDefinition<unknown, unknown>> =
  ObjectTypes<Definition> extends { readonly object: infer Read } ? Read : never;

/** The objects of a resource type as submitted: members with defaults are optional. */
export type NewObjectOf<Definition extends TypedResourceDefinition<unknown, unknown>> =
  ObjectTypes<Definition> extends { readonly newObject: infer Submitted } ? Submitted : never;
