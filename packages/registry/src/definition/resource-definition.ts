import {
  type Ambient,
  type ApiObject,
  type FieldError,
  type GroupVersion,
  groupResourceText,
  type Schema,
  type Steps,
  type UserInfo,
  type Vocabulary,
} from '@ashlar/core';
import type { StructuralSchema } from '@ashlar/schema';
import type { ObjectStore } from '@ashlar/storage';
import type { ObjectValidator } from '@ashlar/validation';
import type { ColumnDefinition } from './column-definition.ts';
import type { AllocatorEnvironment, ObjectAllocator } from './object-allocator.ts';
import type { ResourceStorage } from './resource-storage.ts';
import type {
  ActionSubresource,
  ConnectSubresource,
  FieldNames,
  RowCondition,
  SubresourceDefinition,
  ViewSubresource,
} from './subresource-kinds.ts';
import type { UpdateCheck } from './update-check.ts';

/** The names of a resource type (semantics/discovery#discovery). */
export interface ResourceNames {
  /** As in paths: `configmaps`. */
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** Fields that field selectors support besides `metadata.name` and `metadata.namespace` (semantics/list-and-watch#field-selectors). */
export interface SelectableFields {
  readonly names: readonly string[];
  /** Returns the value of a field; empty if absent. */
  valueOf(object: ApiObject, field: string): string;
  /**
   * The names of the members that lead to a field (`spec`, `size`), if its value follows from them alone: it is then read without the rest
   * of the object. They are of ASCII letters, digits, `-` and `_`. Default: the whole object is decoded.
   */
  pathOf?(field: string): readonly string[] | undefined;
  /** The kind, where errors of other fields name it: jobs. */
  readonly kindInErrors?: string;
  /** Whether only `metadata.name` of the two is supported: namespaces. */
  readonly withoutNamespace?: boolean;
}

/** One version of a resource type. */
export interface ResourceVersion {
  readonly name: string;
  readonly served: boolean;
  /** True for exactly one version. */
  readonly storage: boolean;
  /** Schema of the whole object. */
  readonly schema: Schema;
  /** Reads with pauses what `schema` would read at once when it is first used. */
  readSchemaSteps?(): Steps<void>;
  /** The compiled schema of custom types; by default it is compiled on first use. */
  readonly structure?: StructuralSchema;
  /** Validates objects of this version by schema and rules, in addition to the kind's {@link Strategy}. */
  readonly validator?: ObjectValidator;
  /** Sets defaults of a built-in type that a schema cannot express; part of decoding, so that admission and ownership see them. */
  complete?(object: ApiObject): ApiObject;
  /** As `complete`, with pauses, for large objects; without it they are completed at once. */
  completeSteps?(object: ApiObject): Steps<ApiObject>;
  readonly columns?: readonly ColumnDefinition[];
  /** Annotations in which this version keeps fields of the kind that it does not have: views of the metadata alone are without them, and they are not validated as annotations. */
  readonly fieldAnnotations?: readonly string[];
  readonly selectableFields?: SelectableFields;
  readonly subresources?: readonly SubresourceDefinition[];
  /** Subresources of other kinds that only this version has. */
  readonly views?: readonly ViewSubresource[];
  /** Text of the deprecation warning of every request for this version. */
  readonly warning?: string;
  /** The release that no longer serves this deprecated version, for metrics and audit: `1.22`. */
  readonly removedRelease?: string;
  /** Converts from this version to the stored one; by default only `apiVersion` changes. */
  toStorage?(object: ApiObject): ApiObject;
  fromStorage?(object: ApiObject): ApiObject;
}

/** Kind-specific behavior of writes (semantics/verbs#kinds, semantics/metadata#generation, #updates). All functions are pure. */
export interface Strategy {
  /**
   * Returns the errors of a name; `prefix` is true for a `generateName`.
   * @param object whose name it is; of rows of a table of the host it has only metadata
   */
  validateName(name: string, prefix: boolean, object: ApiObject): readonly string[];
  /** Whether a new object without name and `generateName` gets a random UUID as its name; default: it is refused. */
  readonly namesNewObjects?: boolean;
  /** Whether PUT creates missing objects. */
  readonly allowsCreateOnUpdate?: boolean;
  /** Whether PUT may omit the resource version. */
  readonly allowsUnconditionalUpdate?: boolean;
  /** Whether DELETE returns the object also if it was removed. */
  readonly returnsDeletedObject?: boolean;
  /** Whether finalizers must be standard ones or contain a slash (semantics/metadata#owners-and-finalizers). */
  readonly qualifiedFinalizers?: boolean;
  /** Whether the metadata of a new object is checked only if the rest of it is valid: events, disruption budgets. */
  readonly checksMetadataLast?: boolean;
  /** Whether errors that name the kind do so without its group: events. */
  readonly namesKindWithoutGroup?: boolean;
  /** Whether the first deletion of an object is a write, which names preconditions in its own words: definitions, namespaces. */
  readonly marksBeforeDeletion?: boolean;
  /** Whether deletions ignore their propagation policy: events. */
  readonly ignoresPropagation?: boolean;
  /** Whether dependents are deleted first where a deletion says `orphanDependents: false`: namespaces. */
  readonly foregroundWithoutOrphans?: boolean;
  /** Text of the Warning header of deletions without a propagation policy: jobs. */
  readonly propagationWarning?: string;
  /** What updates are checked for before `validateUpdate`, in order; default: `change` (semantics/metadata#updates). */
  readonly updateChecks?: readonly UpdateCheck[];
  /** Fields that writes to the main endpoint do not own; default: `status` if it is a subresource (semantics/apply#reset-fields). */
  readonly resetFields?: FieldNames;
  /**
   * @param user the creator, which a kind may record
   * @param version of the API in which the object was sent
   */
  prepareForCreate?(object: ApiObject, user?: UserInfo, version?: string): ApiObject;
  /** @param version of the API in which the object was sent */
  prepareForUpdate?(object: ApiObject, stored: ApiObject, version?: string): ApiObject;
  /** @param stored given where an update checks the object as a whole */
  validate?(object: ApiObject, stored?: ApiObject): readonly FieldError[];
  validateUpdate?(object: ApiObject, stored: ApiObject): readonly FieldError[];
  /** Replaces `validate` if that may take long. */
  validateSteps?(object: ApiObject, stored?: ApiObject): Steps<readonly FieldError[]>;
  /** Replaces `validateUpdate` if that may take long. */
  validateUpdateSteps?(object: ApiObject, stored: ApiObject): Steps<readonly FieldError[]>;
  /** Returns texts of Warning headers. */
  warnings?(object: ApiObject, stored: ApiObject | undefined, vocabulary: Vocabulary): readonly string[];
  /** Returns texts of Warning headers for a new object as it was submitted, before it is prepared: also if it is not valid. */
  submissionWarnings?(object: ApiObject): readonly string[];
  /** Why the object of a name must not be deleted by its name: priority classes of the system. */
  deletionRefusal?(name: string): string | undefined;
  /** Marks an object that stays because of finalizers; by default sets a grace period of 0 and increments the generation. */
  markDeleted?(object: ApiObject): ApiObject;
  /** Whether something besides `metadata.finalizers` prevents the removal of the object. */
  isHeld?(object: ApiObject): boolean;
  /** Returns the grace period of a deletion in seconds; by default there is none (semantics/verbs#delete). */
  graceSeconds?(object: ApiObject, requested: number | undefined): number;
  /**
   * Whether an object counts as stored without some of its defaults, which its next change then stores: that one is a change even
   * if it changes nothing else (semantics/metadata#updates).
   * @param object before {@link completeStored}
   * @param stored undefined for a new object
   */
  isStoredIncomplete?(object: ApiObject, stored: ApiObject | undefined): boolean;
  /**
   * Adds what an object that was prepared and validated lacks of its defaults: it is read with them.
   * @param stored undefined for a new object
   */
  completeStored?(object: ApiObject, stored: ApiObject | undefined): ApiObject;
  /** Returns the seconds after the last write until the store deletes the object. */
  leaseSeconds?(object: ApiObject): number | undefined;
}

/**
 * Selects the behavior in which built-in and custom types differ: routing, decoding, order of verbs, list items
 * (semantics/status#situations, semantics/verbs#decoding, semantics/list-and-watch#list).
 */
export type ResourceDialect = 'built-in' | 'custom';

/**
 * A resource type. By default it is stored; with `storage` it is served from the host's own data: supported verbs and
 * discovery follow from its methods.
 */
export interface ResourceDefinition {
  /** Empty for the core group. */
  readonly group: string;
  readonly names: ResourceNames;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly dialect: ResourceDialect;
  readonly versions: readonly ResourceVersion[];
  /** Further values of `apiVersion` that objects of the kind have had, also in other groups: errors tell them from unknown ones. */
  readonly formerVersions?: readonly string[];
  /** Further values of `apiVersion` in which a built-in kind has the same fields: bodies are accepted in them, too. */
  readonly equalVersions?: readonly string[];
  readonly strategy: Strategy;
  /** Subresources of other kinds, in every version of this type. */
  readonly views?: readonly ViewSubresource[];
  readonly actions?: readonly ActionSubresource[];
  readonly connections?: readonly ConnectSubresource[];
  /** A create of this type is an action on the object of another type with the same name: bindings are made for pods. Nothing is stored. */
  readonly createsAction?: ActionOfType;
  /** What DELETE does with dependents by default; nothing if absent. */
  readonly defaultPropagation?: 'Orphan' | 'Background';
  /** Returns the conditions of an object's table row. */
  rowConditions?(object: ApiObject): readonly RowCondition[];
  /** Order of the rows of tables, as of `Array.sort`; by default that of lists. */
  rowOrder?(a: ApiObject, b: ApiObject): number;
  /** Verbs that are not served: namespaces have no deletecollection. */
  readonly withoutVerbs?: readonly string[];
  /** The group version in the storage version hash of discovery, if it is not the stored version. */
  readonly hashedAs?: GroupVersion;
  /** Whether the type is being removed with all its objects, so that creation is rejected. */
  readonly terminating?: boolean;
  /** The `resource.group` whose stored objects it shares: the two kinds of events. */
  readonly storedAs?: string;
  readonly storage?: ResourceStorage;
  /** Whether gets and lists ignore `resourceVersion` and `continue`, whatever they are: nothing has versions where nothing is stored. */
  readonly ignoresVersions?: boolean;
  /** Creates what gives objects of this type what they share with others, such as addresses of services. */
  createAllocator?(environment: AllocatorEnvironment): ObjectAllocator;
  /** Creates the store of this type; by default it shares that of the server. */
  createStore?(definition: ResourceDefinition, ambient: Ambient): ObjectStore;
}

/** An action on the objects of another type in the same version. */
interface ActionOfType {
  readonly plural: string;
  readonly action: string;
}

/** A store for the objects of one type. */
export type TypeStore = Required<Pick<ResourceDefinition, 'createStore'>>;

/** Returns the subresources of other kinds in a version: those of the type and its own. */
export function viewsOf(
  { views = [] }: ResourceDefinition,
  { views: own = [] }: ResourceVersion,
): readonly ViewSubresource[] {
  return own.length === 0 ? views : [...views, ...own];
}

/** Returns the key under which an object of a type is stored. @param namespace ignored for cluster-scoped types */
export function storedKey(definition: ResourceDefinition, namespace: string, name: string): string {
  const prefix = storedPrefix(definition);
  return definition.scope === 'Namespaced' ? `${prefix}${namespace}/${name}` : prefix + name;
}

/** Returns the prefix of the keys under which the objects of a type are stored, with a slash at the end. */
export function storedPrefix({ group, names, storedAs }: ResourceDefinition): string {
  return `/${storedAs ?? groupResourceText({ group, resource: names.plural })}/`;
}

/** Returns the stored version. */
export function storageVersion(definition: ResourceDefinition): ResourceVersion {
  const version = definition.versions.find((candidate) => candidate.storage);
  if (!version)
    throw new TypeError(`${definition.names.plural}.${definition.group} has no version with storage: true`);
  return version;
}
