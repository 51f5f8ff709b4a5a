export type { CertificateSigning } from './lib/certificate-signing.ts';
export type { ControllerChoice, ControllerName } from './lib/controller-selection.ts';
export { type ApiServer, type ApiServerOptions, createApiServer } from './lib/create-api-server.ts';
export { type RuntimeConfig, RuntimeConfigError } from './lib/runtime-config.ts';
export type {
  AuthenticatorOption,
  AuthorizerOption,
  StoredAuthorizers,
  StoredTokens,
} from './lib/server-access.ts';
export { serverVersion } from './lib/server-version.ts';
export {
  generateServiceAccountKey,
  readSigningKey,
  readVerifyingKeys,
} from './lib/service-account-keys.ts';
export type { ServiceAccountOptions } from './lib/service-accounts.ts';
export {
  type EventLoopBlockedError,
  startWatchdog,
  type Watchdog,
  type WatchdogOptions,
} from './lib/watchdog.ts';
