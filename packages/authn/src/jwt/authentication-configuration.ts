import { CodedError, type FieldError, fieldErrorText, joinedTexts } from '@ashlar/core';

/** An authentication configuration file (semantics/access#jwt). Absent and empty fields are the same. */
export interface AuthenticationConfiguration {
  /** Accepted token issuers. */
  readonly jwt?: readonly JwtConfiguration[];
  /** Absent if other configuration decides. */
  readonly anonymous?: AnonymousConfiguration;
}

/** Anonymous requests. */
export interface AnonymousConfiguration {
  readonly enabled?: boolean;
  /** The only paths that accept them; by default all paths. */
  readonly conditions?: readonly { readonly path?: string }[];
}

/** One issuer, and the rules for its tokens. */
export interface JwtConfiguration {
  readonly issuer?: IssuerConfiguration;
  readonly claimValidationRules?: readonly ClaimValidationRule[];
  readonly claimMappings?: ClaimMappings;
  readonly userValidationRules?: readonly UserValidationRule[];
}

/** A token issuer, and where its keys are found. */
export interface IssuerConfiguration {
  /** As in tokens. */
  readonly url?: string;
  /** URL of its discovery document; default below `url`. */
  readonly discoveryURL?: string;
  /** CA certificates, PEM; default: the system's. */
  readonly certificateAuthority?: string;
  /** Audiences, one of which a token must have. */
  readonly audiences?: readonly string[];
  readonly audienceMatchPolicy?: string;
}

/** A claim with a required value, or an expression that must be true. */
export interface ClaimValidationRule {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  /** Logged if the expression is false. */
  readonly message?: string;
}

/** Maps claims to a user. */
export interface ClaimMappings {
  readonly username?: PrefixedMapping;
  readonly groups?: PrefixedMapping;
  readonly uid?: { readonly claim?: string; readonly expression?: string };
  readonly extra?: readonly ExtraMapping[];
}

/** A claim with a prefix, or an expression. */
export interface PrefixedMapping {
  readonly claim?: string;
  /** Required; empty for no prefix. */
  readonly prefix?: string;
  readonly expression?: string;
}

/** An extra field of the user. */
export interface ExtraMapping {
  readonly key?: string;
  readonly valueExpression?: string;
}

/** An expression over the user that must be true. */
export interface UserValidationRule {
  readonly expression?: string;
  /** Logged if the expression is false. */
  readonly message?: string;
}

/** A configuration that can be parsed but is invalid. The message lists every error with its field. */
export class InvalidConfigurationError extends CodedError {
  static override readonly code: string = 'ERR_INVALID_CONFIGURATION';
  override readonly name: string = 'InvalidConfigurationError';
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(joinedTexts(errors.map(fieldErrorText)));
    this.errors = errors;
  }
}
