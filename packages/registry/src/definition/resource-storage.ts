import type {
  Ambient,
  ApiObject,
  FieldSelector,
  JsonObject,
  JsonValue,
  LabelSelector,
  MaybePromise,
  RequestWaits,
  Status,
  Steps,
  UserInfo,
} from '@ashlar/core';
import { ObjectRecord } from '@ashlar/storage';

/** The request of a verb. The three functions report back to the caller. */
export interface RequestContext {
  readonly user: UserInfo;
  /** Empty for cluster-scoped resources and requests across namespaces. */
  readonly namespace: string;
  /** Name of the version of the request. */
  readonly version: string;
  readonly dryRun: boolean;
  /** The options of a write as the caller gave them, for admission; by default there are none. */
  readonly options?: JsonObject | undefined;
  /** The field manager: from the parameter, else from the user agent. */
  readonly fieldManager: string;
  /** What the manager owns of an object that it creates, as `fieldsV1`, if that is known beforehand; by default it is found out. */
  readonly ownedFields?: JsonObject;
  /** Whether a deletion is part of a request that admission was asked about; default false. */
  readonly isAdmitted?: boolean;
  /** Whether the request body is large, so that handling it should pause for other requests. */
  readonly isLarge?: boolean;
  readonly signal?: AbortSignal;
  /** When the response is due, in milliseconds of the monotonic clock: nothing that is called takes longer. By default never. */
  readonly endsAt?: number | undefined;
  /** Adds up how long the request waits for others than the server. */
  readonly waits?: RequestWaits;
  /** Adds a Warning header. */
  warn(text: string): void;
  /** Adds an annotation to the audit event. */
  annotate(key: string, value: string): void;
  /** Adds an annotation that shows parts of objects; absent if the audit event of the request shows none. */
  readonly annotateContent?: ((key: string, makeValue: () => string) => void) | undefined;
  /**
   * Checks that the caller may create objects, for writes that create missing ones.
   * @throws StatusError 403
   */
  authorizeCreate(): MaybePromise<void>;
}

/** A returned object in the version of the request: a stored record, or an object that was computed. */
export type ResultObject = ObjectRecord | ApiObject;

/** Returns the object of a result; records are decoded once. */
export const objectOf = (result: ResultObject): ApiObject =>
  ObjectRecord.is(result) ? (result.object as ApiObject) : result;

/** A read of one object. */
export interface GetRequest {
  readonly name: string;
  /** As in semantics/list-and-watch#get: undefined is a consistent read. */
  readonly resourceVersion?: number;
}

/** The selectors of a request. */
export interface Selection {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
}

/** A list of a collection, or one page of it (semantics/list-and-watch#list). */
export interface ListRequest extends Selection {
  /** Most items of a page; by default everything is listed at once. */
  readonly limit?: number;
  /** The token of the page before. */
  readonly continue?: string;
  /** The version to list, as `resourceVersionMatch` says; undefined is a consistent read. */
  readonly resourceVersion?: number;
  /** By default the version is a minimum, or of a list with a limit the exact one. */
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** A list, or one page of it. */
export interface ObjectList {
  readonly items: readonly ResultObject[];
  /** The version of all items; a watch continues from there. */
  readonly resourceVersion: string;
  /** Empty on the last page of a paginated list; absent if the list is not paginated. */
  readonly continue?: string;
  /** How many items follow this page; absent if that is not known. */
  readonly remainingItemCount?: number;
  /** Whether a selector chose the items. */
  readonly isSelected?: boolean;
  /** Lists with the same identity have the same items, which are records. */
  readonly identity?: object;
}

/** A watch of a collection (semantics/list-and-watch#watch). */
export interface WatchRequest extends Selection {
  /** Events after this version; with `sendInitialEvents`, a state that is no older. */
  readonly resourceVersion?: number;
  /** Whether it begins with an `ADDED` for each object, and a bookmark that ends them. */
  readonly sendInitialEvents?: boolean;
  readonly allowBookmarks: boolean;
  /** When the watch will end; a last bookmark is sent shortly before. */
  readonly timeoutMilliseconds?: number;
}

/** An event as watchers of a collection receive it. */
export interface WatchedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Shared by all watchers of the same change. */
  readonly record: ResultObject;
}

/** Receives the events of a watch. Calls must not throw. */
export interface WatchSink {
  /**
   * Sends several events as `event` does, one after the other. The same array means the same events to every watcher, and is not changed
   * later. Without it they are sent one by one.
   */
  events?(batch: readonly WatchedEvent[]): void;
  /** @param record shared by all watchers of the same change */
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', record: ResultObject): void;
  /** All events up to that version have been sent; `initialEventsEnd` once, after the initial events. */
  bookmark(resourceVersion: string, initialEventsEnd: boolean): void;
  /** The watch has failed and has ended. */
  error(error: Error): void;
  /**
   * Back-pressure, called after each initial event, of which there is one for every object: returns true if more can be sent, else a
   * promise that resolves when it can. False, also from the promise, if the watch has ended. By default all are sent at once.
   */
  waitForCapacity?(): boolean | Promise<boolean>;
  /** There are events, which are sent when the sink calls `send`. Without it they are sent at once. */
  arrived?(send: () => void): void;
}

/** A deletion of one object (semantics/verbs#delete). */
export interface DeleteRequest {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  /** The older form of the policy, if it was requested; `propagationPolicy` says the same. */
  readonly orphanDependents?: boolean;
  readonly gracePeriodSeconds?: number;
}

/** What became of a deleted object. */
export interface DeleteResult {
  /** Its last state. */
  readonly record: ResultObject;
  /** Whether the object was removed; with finalizers it stays. */
  readonly removed: boolean;
}

/**
 * Returns the object to store, from the current one if any. Called again if another write came first.
 * The object is in the version of the request.
 */
export type ObjectUpdate = (current: ApiObject | undefined) => MaybePromise<ApiObject>;

/** A configuration to apply (semantics/apply#apply-algorithm). */
export interface ApplyRequest {
  readonly configuration: JsonValue;
  /** Whether to take ownership of conflicting fields. */
  readonly force: boolean;
  /**
   * Returns the merged object, checked and defaulted.
   * @param stored the object before; undefined if it is created
   */
  completeSteps(merged: ApiObject, stored?: ApiObject): Steps<ApiObject>;
}

/** A write of one object: a change of it (PUT and PATCH), or a configuration that is applied. */
export type UpdateRequest = WriteRequest &
  (
    | { readonly update: ObjectUpdate; readonly apply?: undefined }
    | { readonly apply: ApplyRequest; readonly update?: undefined }
  );

interface WriteRequest {
  readonly name: string;
  readonly subresource?: string;
  /** Whether `update` returns no more than what the request and the stored object hold; default: unknown. */
  readonly isBounded?: boolean;
  /** Whether `update` patches the stored object. Default false. */
  readonly isPatch?: boolean;
  /** Whether a missing object is created: by PUT if the kind allows it, by apply always. Default: never. */
  readonly createsAbsent?: 'if-allowed' | 'always';
  /** The expected uid of the object. */
  readonly uid?: string;
}

/** An object that was sent to an action subresource: `binding`, `eviction`. */
export interface ActionRequest {
  /** Name of the action. */
  readonly action: string;
  /** Name of the object that it is for. */
  readonly name: string;
  readonly object: ApiObject;
  readonly environment: ActionEnvironment;
}

/**
 * The verbs that a resource type supports: absent ones are not in discovery and return 405.
 * A host that serves its own data implements those that it supports.
 */
export interface ResourceStorage {
  get?(context: RequestContext, request: GetRequest): MaybePromise<ResultObject>;
  list?(context: RequestContext, request: ListRequest): MaybePromise<ObjectList>;
  /** Starts a watch; disposing ends it without another call. */
  watch?(context: RequestContext, request: WatchRequest, sink: WatchSink): MaybePromise<Disposable>;
  create?(context: RequestContext, object: ApiObject): MaybePromise<ResultObject>;
  update?(
    context: RequestContext,
    request: UpdateRequest,
  ): MaybePromise<{ readonly answer: ResultObject; readonly created: boolean }>;
  delete?(context: RequestContext, name: string, request: DeleteRequest): MaybePromise<DeleteResult>;
  /**
   * Removes an object that cannot be read, whatever its finalizers (semantics/verbs#delete).
   * @throws StatusError 422 if it can be read, or does not exist
   */
  deleteUnreadable?(context: RequestContext, name: string): MaybePromise<void>;
  /**
   * Runs an action on an object: `binding`, `eviction`.
   * @returns how it went, or the submitted object with the result in it
   * @throws StatusError
   */
  act?(context: RequestContext, request: ActionRequest): MaybePromise<Status | ApiObject>;
  /**
   * Asks admission whether a caller may be connected to a subresource such as `exec`.
   * @returns the options, which admission may have changed
   * @throws StatusError
   */
  admitConnection?(context: RequestContext, request: ConnectionRequest): MaybePromise<ApiObject>;
  deleteCollection?(
    context: RequestContext,
    list: ListRequest,
    request: DeleteRequest,
  ): MaybePromise<ObjectList>;
  /**
   * Changes an object for an action on it (`binding`), without preparation, validation, admission and field ownership.
   * @throws StatusError 404, and what `change` throws
   */
  change?(
    context: RequestContext,
    name: string,
    change: (stored: ApiObject) => ApiObject,
  ): Promise<ApiObject>;
  /**
   * Counts the stored objects of all namespaces, as of any recent state: from memory where they are cached.
   * @throws what the store throws
   */
  count?(): MaybePromise<number>;
  /** Ends what it does without requests, when another storage replaces it or its type is removed. Running requests and watches continue. */
  close?(): void;
}

/** A connection to a subresource of an object, which need not exist. */
export interface ConnectionRequest {
  readonly subresource: string;
  readonly name: string;
  /** Of the kind of the subresource, without metadata. */
  readonly options: ApiObject;
}

/** The objects of one stored type that an action can change. */
export interface ActionObjects {
  readonly storage: ResourceStorage;
  /**
   * Changes a stored object without preparation and validation, again if another write came first.
   * @throws StatusError 404, and what `change` throws
   */
  change(context: RequestContext, name: string, change: (stored: ApiObject) => ApiObject): Promise<ApiObject>;
}

/** The dependencies of an action. */
export interface ActionEnvironment {
  /** The type whose objects the action is for. */
  readonly parent: ActionObjects;
  /** Returns another stored type in its stored version; undefined if it is not served. */
  related(group: string, plural: string): ActionObjects | undefined;
  /** RFC 3339, whole seconds. */
  readonly timestamp: string;
  /** Where long work lets others in. */
  readonly ambient: Pick<Ambient, 'turns' | 'vocabulary'>;
}
