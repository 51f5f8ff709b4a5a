import type { ApiObject, FieldError, JsonObject, Schema, Status } from '@ashlar/core';
import type { ColumnDefinition } from './column-definition.ts';
import type { ActionEnvironment, RequestContext } from './resource-storage.ts';

/** The verbs of subresources that show a stored object, such as `status` and `scale`. */
export const SUBRESOURCE_VERBS: SubresourceDefinition['verbs'] = ['get', 'patch', 'update'];

/** The kind that a subresource speaks, where it is another than its parent's. */
export interface SubresourceKind {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Schema;
}

/** A subresource that shows the stored object as one of another kind, and takes that kind's writes: `scale` (semantics/verbs#subresources). */
export interface ViewSubresource extends SubresourceKind {
  readonly verbs: SubresourceDefinition['verbs'];
  readonly columns?: readonly ColumnDefinition[];
  /** The stored object as one of this kind. */
  view(object: ApiObject): ApiObject;
  /** The stored object as writes begin with it, where `view` would refuse it for what they are to set. */
  viewForUpdate?(object: ApiObject): ApiObject;
  /** What of the stored object a submitted one changes. */
  merge(submitted: ApiObject, stored: ApiObject): ApiObject;
  /** Errors of a submitted object, told under this kind's name. */
  validate(submitted: ApiObject): readonly FieldError[];
}

/** A subresource to which things are sent that nobody keeps: `binding`, `eviction` (semantics/verbs#subresources). */
export interface ActionSubresource extends SubresourceKind {
  /** Does what was sent to the object of that name, and says how it went, or gives back what was sent with its answer. @throws StatusError */
  create(
    context: RequestContext,
    name: string,
    submitted: ApiObject,
    environment: ActionEnvironment,
  ): Promise<Status | ApiObject>;
}

/** A subresource that only a handler of the host can answer: `exec`, `log`, `proxy`. */
export interface ConnectSubresource {
  readonly name: string;
  /** Kind that discovery names. */
  readonly kind: string;
  readonly verbs: readonly ('create' | 'delete' | 'get' | 'patch' | 'update')[];
  /** Whether the path goes on behind the name: `proxy`. */
  readonly withPath?: boolean;
}

/** How a finished object's row is marked in tables. */
export interface RowCondition extends JsonObject {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** A view of the same object with rights and rules of its own: `status`, `finalize` (semantics/verbs#subresources). */
export interface SubresourceDefinition {
  readonly name: string;
  readonly verbs: readonly ('get' | 'update' | 'patch')[];
  /** What becomes of the stored object when this was submitted. */
  prepareForUpdate(submitted: ApiObject, stored: ApiObject): ApiObject;
  validateUpdate?(object: ApiObject, stored: ApiObject): readonly FieldError[];
  /** What nobody comes to own by writing it here; default: `spec` of `status`, else nothing (semantics/apply#reset-fields). */
  readonly resetFields?: FieldNames;
}

/** Fields by the names that lead to them: `['metadata', 'labels']`. */
export type FieldNames = readonly (readonly string[])[];
