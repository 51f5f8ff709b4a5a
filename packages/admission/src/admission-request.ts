import type {
  ApiObject,
  GroupVersionKind,
  GroupVersionResource,
  JsonObject,
  RequestWaits,
  Steps,
  UserInfo,
} from '@ashlar/core';

/** The operation of a request. */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A request to the admission chain (semantics/admission). Objects are in the version of the request. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly subresource: string;
  /** Empty for cluster-scoped objects; for a namespace its own name. */
  readonly namespace: string;
  /** Empty if the name is not generated yet. */
  readonly name: string;
  /** The object to store; absent for deletions. */
  readonly object?: ApiObject | undefined;
  /** The stored object; absent for creations. */
  readonly oldObject?: ApiObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** The options of the request as the caller gave them, without kind: `{ fieldManager: 'x' }`. */
  readonly options?: JsonObject | undefined;
  /** The versions of the resource; absent if it has one only, and objects are not decoded by the registry. */
  readonly versions?: AdmissionVersions | undefined;
  /** Whether a denial is to say which rule refused, and what it read; default false. */
  readonly explains?: boolean | undefined;
  /** Aborted when the caller no longer waits for the response. */
  readonly signal?: AbortSignal | undefined;
  /** When the response is due, in milliseconds of the monotonic clock; by default never. */
  readonly endsAt?: number | undefined;
  /** Adds up how long the request waits for others than the server. */
  readonly waits?: RequestWaits | undefined;
  /** Adds a Warning header to the response. */
  warn(text: string): void;
  /** Adds an annotation to the request's audit event. */
  annotate(key: string, value: string): void;
  /** Adds an annotation that shows parts of objects; absent if the audit event of the request shows none. */
  readonly annotateContent?: ((key: string, makeValue: () => string) => void) | undefined;
}

/** The versions of the resource of a request, for plugins that read and write objects in one of them. */
export interface AdmissionVersions {
  /** Names of the served versions besides that of the request, in order of their definition. */
  readonly others: readonly string[];
  /** Whether objects are those of a custom type, whose metadata have no empty fields. */
  readonly isCustom: boolean;
  /**
   * Converts an object between two versions of the resource.
   * @throws StatusError
   */
  convert(object: ApiObject, from: string, to: string): ApiObject | Promise<ApiObject>;
  /**
   * Decodes an object as its version has it, with pauses: unknown fields are dropped, defaults are set.
   * @param isStrict whether unknown fields of a built-in kind are errors; default false
   * @throws Error if it is not an object of that kind
   */
  decodeSteps(object: ApiObject, version: string, isStrict?: boolean): Steps<ApiObject>;
  /**
   * Merges a part into an object of a version as an apply does, without owners: lists by their keys, nothing is removed.
   * @throws Error if the part does not fit to the kind, or replaces an atomic list or map
   */
  mergeSteps(object: ApiObject, part: JsonObject, version: string): Steps<ApiObject>;
}

/** The rounds in which mutating plugins are called for one request. */
export interface AdmissionRounds {
  /** 0; 1 in the second round, the last. */
  readonly round: 0 | 1;
  /** Asks that all mutating plugins are called once more. */
  again(): void;
  /** Keeps a value of a plugin until the request is admitted. */
  remember(plugin: AdmissionPlugin, value: unknown): void;
  remembered(plugin: AdmissionPlugin): unknown;
}

/**
 * A plugin of the admission chain. Rejections are thrown StatusErrors.
 * Plugins see the object of those before them; `validate` runs after all of `admit` and after validation.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** Whether the plugin handles the request. */
  handles(request: AdmissionRequest): boolean;
  /** Returns the changed object, or undefined to keep it. Called again in a second round if a plugin asks for one. */
  admit?(
    request: AdmissionRequest,
    rounds: AdmissionRounds,
  ): ApiObject | undefined | Promise<ApiObject | undefined>;
  validate?(request: AdmissionRequest): void | Promise<void>;
}
