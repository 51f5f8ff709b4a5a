import type {
  ApiObject,
  CreateOptions,
  DeleteOptions,
  FieldSelector,
  GroupVersionResource,
  JsonValue,
  LabelSelector,
  ObjectMeta,
  UpdateOptions,
} from '@ashlar/core';

/** A resource of a server. */
export interface ResourceReference extends GroupVersionResource {
  /** Filled in, with `apiVersion`, where an object that is sent has none. */
  readonly kind?: string;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** What is selected. */
export interface SelectionOptions extends CallOptions {
  readonly labelSelector?: string | LabelSelector;
  readonly fieldSelector?: string | FieldSelector;
}

export interface GetOptions extends CallOptions {
  readonly resourceVersion?: string;
}

/** One page of a collection (semantics/list-and-watch#option-validation, #list). */
export interface PageOptions extends SelectionOptions {
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** A whole collection; `limit` is the length of a page, 500 where nothing is said. */
export type EveryPageOptions = Omit<PageOptions, 'continue'>;

export interface WatchOptions extends SelectionOptions {
  /** Events after this version. Without it the collection is listed first, each object as an `ADDED`. */
  readonly resourceVersion?: string;
  /** Whether bookmarks are handed on, too. They are asked for in any case. */
  readonly bookmarks?: boolean;
  /** After which the server ends a connection; the watch goes on with a new one. Default: the server's. */
  readonly timeoutSeconds?: number;
}

export type CreateCallOptions = CreateOptions & CallOptions;
export type UpdateCallOptions = UpdateOptions & CallOptions;
export type DeleteCallOptions = DeleteOptions & CallOptions;

/** Options of an apply (semantics/apply#apply-algorithm). */
export interface ApplyCallOptions extends UpdateCallOptions {
  /** Who applies. */
  readonly fieldManager: string;
  /** Takes fields over from their owners. */
  readonly force?: boolean;
}

/** A patch and its kind (semantics/patches). */
export type Patch =
  | { readonly type: 'merge'; readonly patch: object }
  | { readonly type: 'strategic'; readonly patch: object }
  | { readonly type: 'json'; readonly patch: readonly JsonPatchOperation[] };

/** RFC 6902. */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: JsonValue;
}

/** An object as it is sent: the server knows what is left out. */
export type ObjectInput<T extends ApiObject> = Partial<T> & { readonly metadata: ObjectMeta };
