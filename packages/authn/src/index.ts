export { type AnonymousOptions, isAnonymousEnabled, withAnonymous } from './lib/anonymous.ts';
export {
  ANONYMOUS_USER,
  AUTHENTICATED_GROUP,
  UNAUTHENTICATED_GROUP,
  withAuthenticatedGroup,
} from './lib/authenticated-group.ts';
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
} from './lib/authentication-configuration.ts';
export {
  type AuthenticationMetricsOptions,
  withAuthenticationMetrics,
} from './lib/authentication-metrics.ts';
export { type BearerToken, createBearerAuthenticator, parseBearerToken } from './lib/bearer-token.ts';
export {
  type BootstrapSecret,
  bootstrapSecretName,
  bootstrapSecretType,
  isBootstrapSecretExpired,
  readBootstrapSecret,
} from './lib/bootstrap-secret.ts';
export { type BootstrapTokensOptions, createBootstrapTokens } from './lib/bootstrap-tokens.ts';
export { type Certificate, parseCertificate } from './lib/certificate.ts';
export {
  type ClientCertificateOptions,
  createClientCertificateAuthenticator,
} from './lib/client-certificate.ts';
export { UnreadableHeaderError } from './lib/header-text.ts';
export {
  type Impersonation,
  ImpersonationWithoutUserError,
  isImpersonationHeader,
  readImpersonation,
} from './lib/impersonation.ts';
export {
  createJwtAuthenticator,
  type JwtAuthenticator,
  type JwtAuthenticatorOptions,
  jwtAlgorithms,
} from './lib/jwt-authenticator.ts';
export { createJwtIssuers, type JwtIssuers } from './lib/jwt-issuers.ts';
export { withJwtMetrics } from './lib/jwt-metrics.ts';
export {
  type ParseConfigurationOptions,
  parseAuthenticationConfiguration,
} from './lib/parse-authentication-configuration.ts';
export { createProxyHeaderAuthenticator, type ProxyHeaderOptions } from './lib/proxy-headers.ts';
export { equalInConstantTime } from './lib/secret-index.ts';
export { SeparatedValuesError } from './lib/separated-values.ts';
export { withServerAudiences } from './lib/server-audiences.ts';
export {
  issuerDocument,
  keySetDocument,
  type ServiceAccountAlgorithm,
  type ServiceAccountKey,
  type ServiceAccountSigningKey,
} from './lib/service-account-keys.ts';
export {
  type BoundObject,
  createServiceAccountTokenIssuer,
  type ServiceAccountClaims,
  type ServiceAccountTokenIssuer,
} from './lib/service-account-token-issuer.ts';
export {
  type BoundObjectLookup,
  createServiceAccountTokens,
  type ServiceAccountTokensOptions,
} from './lib/service-account-tokens.ts';
export { createStaticTokens } from './lib/static-tokens.ts';
export type { TokenAuthenticator } from './lib/token-authenticator.ts';
export { type TokenCacheOptions, withTokenCache } from './lib/token-cache.ts';
export { createTokenCacheMetrics, type TokenCacheMetrics } from './lib/token-cache-metrics.ts';
export type { TokenDigest } from './lib/token-digest.ts';
export { parseTokenFile, type StaticToken, type TokenFile } from './lib/token-file.ts';
export { createTokenWebhook, type TokenWebhookOptions } from './lib/token-webhook.ts';
export { createUnionAuthenticator, createUnionTokens } from './lib/union.ts';
export { createWebSocketAuthenticator } from './lib/web-socket-token.ts';
export { withoutCredentials } from './lib/without-credentials.ts';
