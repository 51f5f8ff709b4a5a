export {
  type AggregatedServer,
  type AggregatedServerOptions,
  createAggregatedServer,
} from './aggregated/create-aggregated-server.ts';
export type { AggregatedService } from './aggregated/register-versions.ts';
export type { ApiServer, Caller, CloseOptions, ForkChanges } from './assembly/api-server.ts';
export type { ApiServerOptions } from './assembly/api-server-options.ts';
export type { ControllerChoice, ControllerName } from './assembly/controller-selection.ts';
export { createApiServer } from './assembly/create-api-server.ts';
export { type RuntimeConfig, RuntimeConfigError } from './assembly/runtime-config.ts';
export type {
  AuthenticatorFactory,
  AuthorizerFactory,
  StoredAuthorizers,
  StoredTokens,
} from './assembly/server-access.ts';
export { serverVersion } from './assembly/server-version.ts';
export type { ServiceAccountOptions } from './assembly/service-accounts.ts';
export { type AdvertiseOptions, advertiseServer } from './bootstrap/advertise-server.ts';
export { type ClientAuthentication, publishAuthentication } from './bootstrap/publish-authentication.ts';
export type { CertificateSigning } from './certificates/certificate-signing.ts';
export {
  type ClientConfigurationUser,
  clientConfigurationFor,
} from './certificates/client-configuration-for.ts';
export { createFrontProxyCertificate } from './certificates/front-proxy-certificate.ts';
export type { Certificates, ServingCertificateOptions } from './certificates/self-signed-certificates.ts';
export {
  generateServiceAccountKey,
  readSigningKey,
  readVerifyingKeys,
} from './certificates/service-account-signing-keys.ts';
export { createServingCertificate } from './certificates/serving-certificate.ts';
export { emulateRelease } from './emulation/emulate-release.ts';
export type { EncryptionAtRest } from './encryption/server-encryption.ts';
export { createNodeProfiler } from './profiling/node-profiler.ts';
export {
  type Backup,
  type BackupEntry,
  type OpenedSnapshot,
  type OpenSnapshotOptions,
  openSnapshot,
  type SkippedEntry,
} from './snapshot/open-snapshot.ts';
export { createTableStorage } from './table/create-table-storage.ts';
export type { Table, TableChange, TableRow } from './table/table.ts';
export {
  type EventLoopBlockedError,
  startWatchdog,
  type Watchdog,
  type WatchdogOptions,
} from './watchdog/watchdog.ts';
