export { ApiCatalog, type ServedGroupVersion } from './lib/api-catalog.ts';
export { type ApiHandlerOptions, createApiHandler } from './lib/api-handler.ts';
export type { ConnectHandler, ConnectRequest } from './lib/connect-handler.ts';
export { type HealthCheck, HealthChecks, type HealthEndpoint } from './lib/health.ts';
export type { InFlightLimits } from './lib/in-flight-limiter.ts';
export { createInProcessTransport } from './lib/in-process-transport.ts';
export { ServedResource } from './lib/served-resource.ts';
export { toFetchHandler } from './lib/to-fetch-handler.ts';
export type { ServerVersion } from './lib/version-handler.ts';
