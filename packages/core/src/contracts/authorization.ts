import type { UserInfo } from './authentication.ts';

/** Attributes of a request. Requests without a resource have `user`, `verb` and `path` only. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  /** Selectors of list, watch and deletecollection, as sent. */
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** What an authorizer decides; without an opinion the next one is asked, and a request that none allows is forbidden. */
export interface AuthorizationDecision {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  /** Why: a refusal shows it to the caller. */
  readonly reason?: string;
  /** What failed while it was decided. */
  readonly error?: Error;
}

/** A rule for resources; `*` matches everything. */
export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Paths that a user may request. */
export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Everything that a user may do in a namespace, as far as it can be listed. */
export interface AuthorizationRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** Whether there may be more. */
  readonly incomplete: boolean;
  /** Why there may be more. */
  readonly errors: readonly string[];
}

/**
 * Decides whether a request is allowed. A decision that is available immediately is returned without a
 * promise.
 */
export interface Authorizer {
  authorize(
    attributes: AuthorizationAttributes,
    signal?: AbortSignal,
  ): AuthorizationDecision | Promise<AuthorizationDecision>;
  /** Returns the rules of a user in a namespace; absent if the authorizer cannot list them. */
  rules?(user: UserInfo, namespace: string): AuthorizationRules | Promise<AuthorizationRules>;
}
