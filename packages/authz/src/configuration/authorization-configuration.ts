import { CodedError, type FieldError, fieldErrorText, joinedTexts } from '@ashlar/core';

/** The authorizers of a server, in order (semantics/access#authorization). */
export interface AuthorizationConfiguration {
  readonly authorizers: readonly AuthorizerConfiguration[];
}

/** One authorizer. */
export interface AuthorizerConfiguration {
  readonly type: 'Webhook' | 'Node' | 'RBAC';
  readonly name: string;
  /** Of type `Webhook` only. */
  readonly webhook?: WebhookConfiguration;
}

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
