import { CodedError, type FieldError, fieldErrorText } from '@ashlar/core';

/** An authentication configuration file (semantics/access#jwt). Missing and empty fields are the same. */
export interface AuthenticationConfiguration {
  /** Accepted token issuers. */
  readonly jwt?: readonly JwtConfiguration[];
  /** Absent if it is left to others to say. */
  readonly anonymous?: AnonymousConfiguration;
}

/** Callers who show nothing. */
export interface AnonymousConfiguration {
  readonly enabled?: boolean;
  /** The only paths that take them; without any every path does. */
  readonly conditions?: readonly { readonly path?: string }[];
}

/** One issuer, and what its tokens say. */
export interface JwtConfiguration {
  readonly issuer?: IssuerConfiguration;
  readonly claimValidationRules?: readonly ClaimValidationRule[];
  readonly claimMappings?: ClaimMappings;
  readonly userValidationRules?: readonly UserValidationRule[];
}

/** A token issuer, and where its keys are found. */
export interface IssuerConfiguration {
  /** As tokens name it. */
  readonly url?: string;
  /** Where its document is, if not below `url`. */
  readonly discoveryURL?: string;
  /** PEM; the system's own where absent. */
  readonly certificateAuthority?: string;
  /** A token must name one of them. */
  readonly audiences?: readonly string[];
  readonly audienceMatchPolicy?: string;
}

/** A claim that must have a value, or an expression that must be true. */
export interface ClaimValidationRule {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  /** For the log, where the expression is false. */
  readonly message?: string;
}

/** Who a token is, from its claims. */
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

/** A further field of the user. */
export interface ExtraMapping {
  readonly key?: string;
  readonly valueExpression?: string;
}

/** An expression over the user that must be true. */
export interface UserValidationRule {
  readonly expression?: string;
  /** For the log, where the expression is false. */
  readonly message?: string;
}

/** A configuration that can be parsed but is invalid. The message lists every error with its field. */
export class InvalidConfigurationError extends CodedError {
  static override readonly code: string = 'ERR_INVALID_CONFIGURATION';
  override readonly name: string = 'InvalidConfigurationError';
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    const texts = [...new Set(errors.map(fieldErrorText))];
    super(texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`);
    this.errors = errors;
  }
}
