import type { ApiObject, GroupVersionKind, GroupVersionResource, UserInfo } from '@ashlar/core';

/** What a request wants to do to an object. */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One question to the admission chain (semantics/admission). Objects are in the version of the request. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly subresource: string;
  /** Empty for objects of the whole cluster; of a namespace itself its own name. */
  readonly namespace: string;
  /** Empty where the name is yet to be generated. */
  readonly name: string;
  /** What would be stored; absent for deletions. */
  readonly object?: ApiObject | undefined;
  /** What is stored; absent for creations. */
  readonly oldObject?: ApiObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Adds a Warning header to the answer. */
  warn(text: string): void;
  /** Adds an annotation to the request's audit event. */
  annotate(key: string, value: string): void;
}

/**
 * One part of the admission chain. A rejection is a thrown StatusError.
 * Plugins see the object after those before them; `validate` runs after all of `mutate` and after validation.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** Whether the plugin wants to be asked at all. */
  handles(request: AdmissionRequest): boolean;
  /** The object as it shall be, or undefined to leave it. */
  mutate?(request: AdmissionRequest): ApiObject | undefined | Promise<ApiObject | undefined>;
  validate?(request: AdmissionRequest): void | Promise<void>;
}
