export {
  type BootstrapSecret,
  bootstrapSecretName,
  bootstrapSecretType,
  isBootstrapSecretExpired,
  readBootstrapSecret,
} from './bootstrap-tokens/bootstrap-secret.ts';
export { type BootstrapTokensOptions, createBootstrapTokens } from './bootstrap-tokens/bootstrap-tokens.ts';
export { type Certificate, parseCertificate } from './certificates/certificate.ts';
export {
  type ClientCertificateOptions,
  createClientCertificateAuthenticator,
} from './certificates/client-certificate.ts';
export {
  type AnonymousConfiguration,
  type AuthenticationConfiguration,
  type ClaimMappings,
  type ClaimValidationRule,
  type ExtraMapping,
  InvalidConfigurationError,
  type IssuerConfiguration,
  type JwtConfiguration,
  type PrefixedMapping,
  type UserValidationRule,
} from './jwt/authentication-configuration.ts';
export {
  createJwtAuthenticator,
  type JwtAuthenticator,
  type JwtAuthenticatorOptions,
  jwtAlgorithms,
} from './jwt/jwt-authenticator.ts';
export { createJwtIssuers, type JwtIssuers } from './jwt/jwt-issuers.ts';
export { withJwtMetrics } from './jwt/jwt-metrics.ts';
export {
  type ParseConfigurationOptions,
  parseAuthenticationConfiguration,
} from './jwt/parse-authentication-configuration.ts';
export { type AnonymousOptions, isAnonymousEnabled, withAnonymous } from './request/anonymous.ts';
export {
  ANONYMOUS_USER,
  AUTHENTICATED_GROUP,
  UNAUTHENTICATED_GROUP,
  withAuthenticatedGroup,
} from './request/authenticated-group.ts';
export {
  type AuthenticationMetricsOptions,
  withAuthenticationMetrics,
} from './request/authentication-metrics.ts';
export {
  type Impersonation,
  ImpersonationWithoutUserError,
  isImpersonationHeader,
  readImpersonation,
} from './request/impersonation.ts';
export { createProxyHeaderAuthenticator, type ProxyHeaderOptions } from './request/proxy-headers.ts';
export { SeparatedValuesError } from './request/separated-values.ts';
export { createUnionAuthenticator, createUnionTokens } from './request/union.ts';
export { withoutCredentials } from './request/without-credentials.ts';
export type { BoundObjectLookup } from './service-accounts/named-objects.ts';
export { withServerAudiences } from './service-accounts/server-audiences.ts';
export {
  issuerDocument,
  keySetDocument,
  type ServiceAccountAlgorithm,
  type ServiceAccountKey,
  type ServiceAccountSigningKey,
} from './service-accounts/service-account-keys.ts';
export {
  type BoundObject,
  createServiceAccountTokenIssuer,
  type ServiceAccountClaims,
  type ServiceAccountTokenIssuer,
} from './service-accounts/service-account-token-issuer.ts';
export { createServiceAccountTokens } from './service-accounts/service-account-tokens.ts';
export type { ServiceAccountTokensOptions } from './service-accounts/service-account-tokens-options.ts';
export { type BearerToken, createBearerAuthenticator, parseBearerToken } from './tokens/bearer-token.ts';
export { equalInConstantTime } from './tokens/secret-index.ts';
export { createStaticTokens } from './tokens/static-tokens.ts';
export type { TokenAuthenticator } from './tokens/token-authenticator.ts';
export { type TokenCacheOptions, withTokenCache } from './tokens/token-cache.ts';
export { createTokenCacheMetrics, type TokenCacheMetrics } from './tokens/token-cache-metrics.ts';
export type { TokenDigest } from './tokens/token-digest.ts';
export { parseTokenFile, type StaticToken, type TokenFile } from './tokens/token-file.ts';
export { createTokenWebhook, type TokenWebhookOptions } from './tokens/token-webhook.ts';
export { createWebSocketAuthenticator } from './tokens/web-socket-token.ts';
