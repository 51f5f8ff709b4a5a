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
  /** Added to sent objects that lack it, together with `apiVersion`. */
  readonly kind?: string;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Selectors. */
export interface SelectionOptions extends CallOptions {
  readonly labelSelector?: string | LabelSelector;
  readonly fieldSelector?: string | FieldSelector;
}

/** Options of reading one object. */
export interface GetOptions extends CallOptions {
  /** A state that is no older; `0` is any that the server has in memory. Default: the newest. */
  readonly resourceVersion?: string;
}

/** One page of a collection (semantics/list-and-watch#option-validation, #list). */
export interface PageOptions extends SelectionOptions {
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** An entire collection; `limit` is the page size, 500 by default. */
export type EveryPageOptions = Omit<PageOptions, 'continue'>;

/** Options of a watch (semantics/list-and-watch#watch). */
export interface WatchOptions extends SelectionOptions {
  /** Events after this version. By default the collection is listed first, each object as an `ADDED`. */
  readonly resourceVersion?: string;
  /** Whether to return bookmarks, too. They are requested in any case. */
  readonly bookmarks?: boolean;
  /**
   * Duration after which the server ends a connection; the watch continues with a new one. Default: the
   * server's.
   */
  readonly timeoutSeconds?: number;
}

/** Options of a create: dry run, field manager, field validation. */
export type CreateCallOptions = CreateOptions & CallOptions;
/** Options of an update or a patch. */
export type UpdateCallOptions = UpdateOptions & CallOptions;
/** Options of a delete: propagation, preconditions, grace period in seconds. */
export type DeleteCallOptions = DeleteOptions & CallOptions;

/** Options of an apply (semantics/apply#apply-algorithm). */
export interface ApplyCallOptions extends UpdateCallOptions {
  /** The field manager. */
  readonly fieldManager: string;
  /** Takes ownership of fields from other managers. */
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

/** An object to send: the server fills in the rest. */
export type ObjectInput<T extends ApiObject> = Partial<T> & { readonly metadata: ObjectMeta };
