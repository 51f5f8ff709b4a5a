import type { Ambient, ApiObject, MaybePromise } from '@ashlar/core';
import type { SecurityPolicy } from '../pod-security/pod-security-levels.ts';

/** Who and what is not checked. */
export interface PodSecurityExemptions {
  readonly namespaces: readonly string[];
  readonly usernames: readonly string[];
  readonly runtimeClasses: readonly string[];
}

export interface PodSecurityOptions {
  readonly ambient: Ambient;
  /** For namespaces without labels; default: pods may do anything. */
  readonly defaults?: SecurityPolicy;
  readonly exemptions?: PodSecurityExemptions;
  /** Returns the namespace of that name; a cached state is sufficient. */
  namespace(name: string): MaybePromise<ApiObject | undefined>;
  /** Returns the stored pods of a namespace. */
  podsOf(namespace: string): MaybePromise<readonly ApiObject[]>;
}

/** The options with their defaults. */
export type PodSecuritySettings = Required<PodSecurityOptions>;
