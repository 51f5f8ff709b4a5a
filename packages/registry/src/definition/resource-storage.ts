import type {
  ApiObject,
  FieldSelector,
  JsonValue,
  LabelSelector,
  Status,
  Steps,
  UserInfo,
} from '@ashlar/core';
import { type MaybePromise, ObjectRecord } from '@ashlar/storage';

/** What every verb is told about its request. Only the three functions travel back up. */
export interface RequestContext {
  readonly user: UserInfo;
  /** Empty for resources of the whole cluster and for requests across namespaces. */
  readonly namespace: string;
  /** Name of the version that the request is in. */
  readonly version: string;
  readonly dryRun: boolean;
  /** Who owns what the request writes: from the parameter, else from the user agent. */
  readonly fieldManager: string;
  /** Whether the submitted text is large, so that others should have their turn while it is worked on. */
  readonly isLarge?: boolean;
  readonly signal?: AbortSignal;
  /** Adds a Warning header. */
  warn(text: string): void;
  /** Adds an annotation to the audit event. */
  annotate(key: string, value: string): void;
  /**
   * Asks whether the caller may create, for writes that make what is absent.
   * @throws StatusError 403
   */
  authorizeCreate(): Promise<void>;
}

/** An object on its way out: as stored, or as computed where nothing was stored. In the version of the request. */
export type ResultObject = ObjectRecord | ApiObject;

/** Returns the object of an answer, decoding it where only its bytes are there. */
export const objectOf = (answer: ResultObject): ApiObject =>
  answer instanceof ObjectRecord ? (answer.object as ApiObject) : answer;

export interface GetRequest {
  readonly name: string;
  /** As in semantics/list-and-watch#get: undefined is a consistent read. */
  readonly resourceVersion?: number;
}

/** What of a collection is asked for. */
export interface Selection {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
}

export interface ListRequest extends Selection {
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: number;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

export interface ObjectList {
  readonly items: readonly ResultObject[];
  readonly resourceVersion: string;
  /** Empty on the last page of a list in pages; absent where the list was not in pages. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface WatchRequest extends Selection {
  readonly resourceVersion?: number;
  readonly sendInitialEvents?: boolean;
  readonly allowBookmarks: boolean;
  /** When the watch will be ended; a last bookmark is sent shortly before. */
  readonly timeoutMilliseconds?: number;
}

/** What a watch hands on. Calls must not throw. */
export interface WatchSink {
  /** `record` is shared by everybody who is told of the same change. */
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', record: ResultObject): void;
  /** Everything up to that version has been told; `initialEventsEnd` once, behind the initial events. */
  bookmark(resourceVersion: string, initialEventsEnd: boolean): void;
  /** The watch has failed; nothing comes after it. */
  error(error: Error): void;
  /**
   * Asked behind each initial event, which are as many as there are objects: true where there is room for more, else a promise that
   * is fulfilled when there is. False, also from the promise, once nobody listens any more. Without it all are told at once.
   */
  waitForCapacity?(): boolean | Promise<boolean>;
}

export interface DeleteRequest {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}

export interface DeleteResult {
  readonly record: ResultObject;
  /** Whether the object is gone; one with finalizers stays. */
  readonly removed: boolean;
}

/**
 * Makes the object to be stored out of the one that is there, or out of nothing. Called again when another write came first.
 * The object is in the version of the request.
 */
export type ObjectUpdate = (current: ApiObject | undefined) => MaybePromise<ApiObject>;

/** A configuration to be applied (semantics/apply#apply-algorithm). */
export interface ApplyRequest {
  readonly configuration: JsonValue;
  /** Whether to take what others own. */
  readonly force: boolean;
  /** The merged object, checked and defaulted. */
  completeSteps(merged: ApiObject): Steps<ApiObject>;
}

export interface UpdateRequest {
  readonly name: string;
  readonly subresource?: string;
  readonly update: ObjectUpdate | ApplyRequest;
  /** Whether an absent object is made: by PUT where the kind allows it, by apply always. Default: never. */
  readonly createsAbsent?: 'if-allowed' | 'always';
  /** The uid that the caller believes the object to have. */
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
 * The verbs of a resource type, as far as it has them: what is absent is not in discovery and answers 405.
 * A host that serves its own data gives an object with those that it can answer.
 */
export interface ResourceStorage {
  get?(context: RequestContext, request: GetRequest): MaybePromise<ResultObject>;
  list?(context: RequestContext, request: ListRequest): MaybePromise<ObjectList>;
  /** Disposing ends the watch without another call. */
  watch?(context: RequestContext, request: WatchRequest, sink: WatchSink): MaybePromise<Disposable>;
  create?(context: RequestContext, object: ApiObject): MaybePromise<ResultObject>;
  update?(
    context: RequestContext,
    request: UpdateRequest,
  ): MaybePromise<{ readonly answer: ResultObject; readonly created: boolean }>;
  delete?(context: RequestContext, name: string, request: DeleteRequest): MaybePromise<DeleteResult>;
  /**
   * Runs an action on an object: `binding`, `eviction`.
   * @returns how it went, or the submitted object with the answer in it
   * @throws StatusError
   */
  act?(context: RequestContext, request: ActionRequest): MaybePromise<Status | ApiObject>;
  deleteCollection?(
    context: RequestContext,
    list: ListRequest,
    request: DeleteRequest,
  ): MaybePromise<ObjectList>;
  /**
   * Changes an object for an action on it (`binding`): nothing is prepared, checked or admitted, and nobody owns it.
   * @throws StatusError 404, and what `change` throws
   */
  change?(
    context: RequestContext,
    name: string,
    change: (stored: ApiObject) => ApiObject,
  ): Promise<ApiObject>;
}

/** What an action may do with the objects of one stored type. */
export interface ActionObjects {
  readonly storage: ResourceStorage;
  /**
   * Changes a stored object without its kind's own preparations and checks, again where another write came first.
   * @throws StatusError 404, and what `change` throws
   */
  change(context: RequestContext, name: string, change: (stored: ApiObject) => ApiObject): Promise<ApiObject>;
}

/** What an action stands on. */
export interface ActionEnvironment {
  /** The type whose objects the action is for. */
  readonly parent: ActionObjects;
  /** Another stored type in its stored version; undefined where it is not served. */
  related(group: string, plural: string): ActionObjects | undefined;
  /** RFC 3339, whole seconds. */
  readonly timestamp: string;
}
