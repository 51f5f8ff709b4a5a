export { createInProcessTransport } from './adapters/in-process-transport.ts';
export { toFetchHandler } from './adapters/to-fetch-handler.ts';
export { type LoggedRequest, withRequestLog } from './adapters/with-request-log.ts';
export type {
  AggregatedApis,
  ForwardedRequest,
  ForwardHandler,
  OwnRegistrations,
  PublishedApis,
  RankedVersion,
  RegisteredVersion,
} from './aggregated/aggregated-apis.ts';
export { ApiCatalog, type ServedGroupVersion } from './catalog/api-catalog.ts';
export { ServedResource } from './catalog/served-resource.ts';
export { type VersionPriority, versionPriority } from './catalog/version-priority.ts';
export type { ServerVersion } from './discovery/version-handler.ts';
export type { Compress } from './encoding/compressed-response.ts';
export { type BudgetedCache, EncodingBudget } from './encoding/encoding-budget.ts';
export { type HealthCheck, HealthChecks, type HealthEndpoint, type HealthOptions } from './health/health.ts';
export { StoredObjectCounts } from './health/stored-object-counts.ts';
export type { FixedDocument } from './openapi/fixed-documents.ts';
export { createApiHandler } from './pipeline/api-handler.ts';
export type { ApiHandlerOptions } from './pipeline/api-handler-options.ts';
export type { AuditEvent } from './pipeline/audit-event.ts';
export type { BrowserOptions } from './pipeline/browser-headers.ts';
export { textResponse } from './pipeline/error-response.ts';
export type { AnonymousOrigins } from './pipeline/foreign-callers.ts';
export { defaultInFlightLimits, type InFlightLimits } from './pipeline/in-flight-limiter.ts';
export { RequestGate } from './pipeline/request-gate.ts';
export type {
  Profile,
  ProfileFrame,
  Profiler,
  ProfileSample,
  ProfileValue,
  Recording,
} from './profiling/profile.ts';
export type { ConnectHandler, ConnectRequest } from './verbs/connect-handler.ts';
