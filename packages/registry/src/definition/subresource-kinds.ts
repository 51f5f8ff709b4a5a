import type { ApiObject, FieldError, GroupResource, JsonObject, Schema, Status, Steps } from '@ashlar/core';
import type { ColumnDefinition } from './column-definition.ts';
import type { ActionEnvironment, RequestContext } from './resource-storage.ts';
import type { UpdateCheck } from './update-check.ts';

/** The verbs of subresources that show a stored object, such as `status` and `scale`. */
export const SUBRESOURCE_VERBS: SubresourceDefinition['verbs'] = ['get', 'patch', 'update'];

/** The kind of a subresource that differs from its parent's. */
export interface SubresourceKind {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Schema;
  /** As those of a resource definition. */
  readonly formerVersions?: readonly string[];
  /** As those of a resource definition. */
  readonly equalVersions?: readonly string[];
  /** As that of a version. */
  complete?(object: ApiObject): ApiObject;
}

/** A subresource that reads and writes the stored object as another kind: `scale` (semantics/verbs#subresources). */
export interface ViewSubresource extends SubresourceKind {
  readonly verbs: SubresourceDefinition['verbs'];
  readonly columns?: readonly ColumnDefinition[];
  /** What a read says is not found if the object is missing; by default the resource of the object. */
  readonly missing?: GroupResource;
  /** What a change says is in conflict if it names another uid; by default the uid is ignored. */
  readonly conflicts?: GroupResource;
  /**
   * Path of the field of the stored object that this kind shows as `spec.replicas`: who owns one owns the other
   * (semantics/apply#reset-fields). By default the fields of this kind are owned as fields of the object.
   */
  readonly replicasPath?: readonly string[];
  /** Returns the stored object as this kind. */
  view(object: ApiObject): ApiObject;
  /** Like `view`, for objects that a write completes and `view` would reject. */
  viewForUpdate?(object: ApiObject): ApiObject;
  /** Applies a submitted object of this kind to the stored object. */
  merge(submitted: ApiObject, stored: ApiObject): ApiObject;
  /** Returns the errors of a submitted object, which are reported with this kind's name. */
  validate(submitted: ApiObject): readonly FieldError[];
}

/** A subresource that accepts objects without storing them: `binding`, `eviction` (semantics/verbs#subresources). */
export interface ActionSubresource extends SubresourceKind {
  /** Fills in what the request leaves to the server, after mutating and before validating admission. @throws StatusError */
  prepare?(
    context: RequestContext,
    name: string,
    submitted: ApiObject,
    environment: ActionEnvironment,
  ): Promise<ApiObject>;
  /** Runs the action on an object. Returns a Status, or the submitted object with the result in it. @throws StatusError */
  create(
    context: RequestContext,
    name: string,
    submitted: ApiObject,
    environment: ActionEnvironment,
  ): Promise<Status | ApiObject>;
}

/** A subresource that only the host can handle: `exec`, `log`, `proxy`. */
export interface ConnectSubresource {
  readonly name: string;
  /** Kind in discovery. */
  readonly kind: string;
  readonly verbs: readonly ('create' | 'delete' | 'get' | 'patch' | 'update')[];
  /** Whether the path may continue after the name: `proxy`. */
  readonly withPath?: boolean;
  /** How its options are read, which admission sees. Without them admission is not asked, as for `log`. */
  readonly options?: ConnectionOptions;
  /** The query parameters that documents list, where it has no options. */
  readonly parameters?: Schema;
  /** Refuses query parameters that it cannot have, where it has no options. @throws StatusError */
  readonly requireParameters?: (parameters: ConnectionParameters, name: string) => void;
  /** What it leads to, which is looked for where the host has no handler; default: the object of that name. */
  readonly target?: ConnectionTarget;
}

/** Reads the object of a name: of the type itself, or of another one in its group. @throws StatusError 404 */
export type ReadTarget = (name: string, plural?: string) => Promise<ApiObject>;

/**
 * Looks for what a connection leads to.
 * @param name in the path, which may say more than the name of an object: `https:web:443`
 * @returns `nothing yet` if there is nothing to be sent
 * @throws StatusError if it cannot be connected to, in the words of the reference
 */
export type ConnectionTarget = (
  name: string,
  read: ReadTarget,
  parameters: ConnectionParameters,
) => Promise<'nothing yet' | undefined>;

/** Parameters of a query. */
export interface ConnectionParameters {
  /** All values of a parameter. */
  all(name: string): readonly string[];
}

/** The options of a connection as an object of the subresource's kind. */
export interface ConnectionOptions {
  readonly schema: Schema;
  /**
   * Returns the members besides `kind` and `apiVersion`.
   * @param path what follows the subresource in the path; empty if nothing does
   * @throws StatusError 400
   */
  read(parameters: ConnectionParameters, path: string): JsonObject;
}

/** A condition of a table row, such as that the object is completed. */
export interface RowCondition extends JsonObject {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** A subresource of the same kind with its own permissions and rules: `status`, `finalize` (semantics/verbs#subresources). */
export interface SubresourceDefinition {
  readonly name: string;
  readonly verbs: readonly ('get' | 'update' | 'patch')[];
  /** Returns the object to store from the submitted and the stored one. @param now the time of the write, as objects show it */
  prepareForUpdate(submitted: ApiObject, stored: ApiObject, now: string): ApiObject;
  validateUpdate?(object: ApiObject, stored: ApiObject): readonly FieldError[];
  /** Replaces `validateUpdate` if that may take long. */
  validateUpdateSteps?(object: ApiObject, stored: ApiObject): Steps<readonly FieldError[]>;
  /** What writes are checked for before; default: `change`. */
  readonly updateChecks?: readonly UpdateCheck[];
  /** Fields that writes here do not own; default: `spec` for `status`, else none (semantics/apply#reset-fields). */
  readonly resetFields?: FieldNames;
}

/** Paths of fields: `['metadata', 'labels']`. */
export type FieldNames = readonly (readonly string[])[];
