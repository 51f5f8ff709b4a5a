import type { ApiObject, GroupVersionKind, GroupVersionResource, UserInfo } from '@ashlar/core';

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
  /** Adds a Warning header to the response. */
  warn(text: string): void;
  /** Adds an annotation to the request's audit event. */
  annotate(key: string, value: string): void;
}

/**
 * A plugin of the admission chain. Rejections are thrown StatusErrors.
 * Plugins see the object of those before them; `validate` runs after all of `mutate` and after validation.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** Whether the plugin handles the request. */
  handles(request: AdmissionRequest): boolean;
  /** Returns the changed object, or undefined to keep it. */
  mutate?(request: AdmissionRequest): ApiObject | undefined | Promise<ApiObject | undefined>;
  validate?(request: AdmissionRequest): void | Promise<void>;
}
