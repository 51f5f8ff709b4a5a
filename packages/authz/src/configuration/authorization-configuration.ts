import { CodedError, type FieldError, fieldErrorText, joinedTexts } from '@ashlar/core';

/** The authorizers of a server, in order (semantics/access#authorization). */
export interface AuthorizationConfiguration {
  readonly authorizers: readonly AuthorizerConfiguration[];
}

/** One authorizer: a webhook, or one without a configuration of its own. */
export type AuthorizerConfiguration =
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: WebhookConfiguration }
  | { readonly type: 'ABAC' | 'AlwaysAllow' | 'AlwaysDeny' | 'Node' | 'RBAC'; readonly name: string };

/** Configuration of a webhook. Durations are in milliseconds. */
export interface WebhookConfiguration {
  readonly authorizedMilliseconds: number;
  readonly unauthorizedMilliseconds: number;
  readonly timeoutMilliseconds: number;
  readonly version: 'v1' | 'v1beta1';
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  readonly connection:
    | { readonly type: 'InClusterConfig' }
    | { readonly type: 'KubeConfigFile'; readonly file: string };
  /** Match conditions over the review; all must be true. */
  readonly matchConditions: readonly string[];
}

/** A configuration that can be parsed but is invalid. The message lists every error with its field. */
export class InvalidAuthorizationError extends CodedError {
  static override readonly code: string = 'ERR_INVALID_AUTHORIZATION';
  override readonly name: string = 'InvalidAuthorizationError';
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(joinedTexts(errors.map(fieldErrorText)));
    this.errors = errors;
  }
}
