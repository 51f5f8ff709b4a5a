import type { UserInfo } from './authentication.ts';

/** What is asked for. For requests of no resource only `user`, `verb` and `path` say anything. */
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

export interface AuthorizationDecision {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason?: string;
  readonly error?: Error;
}

/** Decides whether a request may go on. An answer at hand is given without a promise. */
export interface Authorizer {
  authorize(
    attributes: AuthorizationAttributes,
    signal?: AbortSignal,
  ): AuthorizationDecision | Promise<AuthorizationDecision>;
}
