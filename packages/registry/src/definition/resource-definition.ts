import type { ApiObject, FieldError, GroupVersion, Schema, Steps, UserInfo } from '@ashlar/core';
import type { StructuralSchema } from '@ashlar/schema';
import type { ObjectValidator } from '@ashlar/validation';
import type { ColumnDefinition } from './column-definition.ts';
import type { ResourceStorage } from './resource-storage.ts';
import type {
  ActionSubresource,
  ConnectSubresource,
  FieldNames,
  RowCondition,
  SubresourceDefinition,
  ViewSubresource,
} from './subresource-kinds.ts';

/** How a resource type is called (semantics/discovery#discovery). */
export interface ResourceNames {
  /** As in paths: `configmaps`. */
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** Fields that field selectors may name, beyond `metadata.name` and `metadata.namespace` (semantics/list-and-watch#field-selectors). */
export interface SelectableFields {
  readonly names: readonly string[];
  /** The value of such a field; absent ones are the empty string. */
  valueOf(object: ApiObject, field: string): string;
  /** Namespaces know only `metadata.name` of the two. */
  readonly withoutNamespace?: boolean;
}

/** One version of a resource type. */
export interface ResourceVersion {
  readonly name: string;
  readonly served: boolean;
  /** Exactly one version is the stored one. */
  readonly storage: boolean;
  /** Schema of the whole object. */
  readonly schema: Schema;
  /** The schema compiled already, of users' types; else it is compiled when it is first needed. */
  readonly structure?: StructuralSchema;
  /** What schema and rules say of objects of this version, asked beside the kind's own {@link Strategy}. */
  readonly validator?: ObjectValidator;
  /** Defaults of a built-in type that are more than a schema says; part of decoding, so that admission and ownership see them. */
  complete?(object: ApiObject): ApiObject;
  readonly columns?: readonly ColumnDefinition[];
  readonly selectableFields?: SelectableFields;
  readonly subresources?: readonly SubresourceDefinition[];
  /** Subresources of other kinds that only this version has. */
  readonly views?: readonly ViewSubresource[];
  /** Text of the warning that every request for this version gets: it is deprecated. */
  readonly warning?: string;
  /** From this version into the stored one; without it the two have the same fields. */
  toStorage?(object: ApiObject): ApiObject;
  fromStorage?(object: ApiObject): ApiObject;
}

/** What is particular about a kind's writes (semantics/verbs#kinds, semantics/metadata#generation, #updates). All functions are pure. */
export interface Strategy {
  /** Errors of a name, as texts; `prefix` says that it is a `generateName`. */
  validateName(name: string, prefix: boolean): readonly string[];
  /** PUT makes what is absent. */
  readonly allowsCreateOnUpdate?: boolean;
  /** PUT may leave out the resource version. */
  readonly allowsUnconditionalUpdate?: boolean;
  /** DELETE answers the object also when it is gone. */
  readonly returnsDeletedObject?: boolean;
  /** Finalizers must be standard ones or have a slash (semantics/metadata#owners-and-finalizers). */
  readonly qualifiedFinalizers?: boolean;
  /** Refusals of invalid objects name the kind without its group: events. */
  readonly namesKindWithoutGroup?: boolean;
  /** The first deletion of an object only marks it: definitions. */
  readonly marksBeforeDeletion?: boolean;
  /** Deletions add no finalizer for their propagation policy: events. */
  readonly ignoresPropagation?: boolean;
  /** Metadata is validated once more with the kind's own fields (semantics/metadata#updates, last paragraph). */
  readonly validatesMetadataAgain?: boolean;
  /** What nobody comes to own through the main endpoint; default: `status` where that is written apart (semantics/apply#reset-fields). */
  readonly resetFields?: FieldNames;
  /** @param user who makes it: a kind may keep who asked */
  prepareForCreate?(object: ApiObject, user?: UserInfo): ApiObject;
  prepareForUpdate?(object: ApiObject, stored: ApiObject): ApiObject;
  validate?(object: ApiObject): readonly FieldError[];
  validateUpdate?(object: ApiObject, stored: ApiObject): readonly FieldError[];
  /** In the place of `validate`, where that may take long: with pauses. */
  validateSteps?(object: ApiObject): Steps<readonly FieldError[]>;
  /** In the place of `validateUpdate`, where that may take long: with pauses. */
  validateUpdateSteps?(object: ApiObject, stored: ApiObject): Steps<readonly FieldError[]>;
  /** Texts of Warning headers. */
  warnings?(object: ApiObject, stored: ApiObject | undefined): readonly string[];
  /** What DELETE makes of an object that stays for its finalizers; by default a grace period of 0 is noted and the generation grows. */
  markDeleted?(object: ApiObject): ApiObject;
  /** Whether something beside `metadata.finalizers` holds the object. */
  isHeld?(object: ApiObject): boolean;
  /** Seconds that a deletion gives an object, from what was asked for; without it deletions give no time (semantics/verbs#delete). */
  graceSeconds?(object: ApiObject, requested: number | undefined): number;
  /** Seconds until the store deletes an object that nobody writes again. */
  leaseSeconds?(object: ApiObject): number | undefined;
}

/**
 * How a type behaves where built-in types and those of users differ: routes, decoding, verbs' order, items of lists
 * (semantics/status#situations, semantics/verbs#decoding, semantics/list-and-watch#list).
 */
export type ResourceDialect = 'built-in' | 'custom';

/**
 * A resource type. With a schema alone it is stored; with `storage` it is served from data that the host has already:
 * verbs, discovery and 405 follow from what is there.
 */
export interface ResourceDefinition {
  /** Empty for the core group. */
  readonly group: string;
  readonly names: ResourceNames;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly dialect: ResourceDialect;
  readonly versions: readonly ResourceVersion[];
  readonly strategy: Strategy;
  /** Subresources of other kinds, in every version of this type. */
  readonly views?: readonly ViewSubresource[];
  readonly actions?: readonly ActionSubresource[];
  readonly connections?: readonly ConnectSubresource[];
  /** What DELETE does with dependents when it does not say; nothing unless told. */
  readonly defaultPropagation?: 'Orphan' | 'Background';
  /** Marks of an object's row in tables. */
  rowConditions?(object: ApiObject): readonly RowCondition[];
  /** Stored verbs that are not served: namespaces have no deletecollection. */
  readonly withoutVerbs?: readonly string[];
  /** What discovery's hash of what is stored names, where that is not the stored version of the group. */
  readonly hashedAs?: GroupVersion;
  /** Nothing new is taken: the type is being removed with all its objects. */
  readonly terminating?: boolean;
  /** `resource.group` whose stored objects these are too: the two kinds of events. */
  readonly storedAs?: string;
  readonly storage?: ResourceStorage;
}

/** Subresources of other kinds in a version: those of the type and its own. */
export function viewsOf(
  { views = [] }: ResourceDefinition,
  { views: own = [] }: ResourceVersion,
): readonly ViewSubresource[] {
  return own.length === 0 ? views : [...views, ...own];
}

/** The version that is stored. */
export function storageVersion(definition: ResourceDefinition): ResourceVersion {
  const version = definition.versions.find((candidate) => candidate.storage);
  if (!version)
    throw new TypeError(`${definition.names.plural}.${definition.group} has no version with storage: true`);
  return version;
}
