import type { Auditor } from '@ashlar/audit';
import type { Ambient, Authenticator, Authorizer, Metrics, ServerRequest } from '@ashlar/core';
import type { FlowControl } from '@ashlar/flow-control';
import type { AggregatedApis } from '../aggregated/aggregated-apis.ts';
import type { ApiCatalog } from '../catalog/api-catalog.ts';
import type { ServerVersion } from '../discovery/version-handler.ts';
import type { Compress } from '../encoding/compressed-response.ts';
import type { HealthChecks } from '../health/health.ts';
import type { FixedDocument } from '../openapi/fixed-documents.ts';
import type { Profiler } from '../profiling/profile.ts';
import type { ConnectHandler } from '../verbs/connect-handler.ts';
import type { AuditEvent } from './audit-event.ts';
import type { BrowserOptions } from './browser-headers.ts';
import type { AnonymousOrigins } from './foreign-callers.ts';
import type { InFlightLimits } from './in-flight-limiter.ts';

/** Options of `createApiHandler`. */
export interface ApiHandlerOptions extends BrowserOptions {
  readonly catalog: ApiCatalog;
  readonly ambient: Ambient;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly health: HealthChecks;
  readonly version: ServerVersion;
  /** The address that `/api` returns, as `host:port`. */
  readonly serverAddress?: () => string;
  /**
   * Restricts anonymous requests to the server's own host names and origins, and to those listed here. By default they are not
   * restricted.
   */
  readonly anonymousFrom?: AnonymousOrigins;
  /** Limits of concurrent requests, where there is no flow control. */
  readonly limits?: InFlightLimits;
  /** API priority and fairness. By default requests are only limited by `limits`. */
  readonly flowControl?: FlowControl;
  /** Handles requests that only a host can: `pods/log`, `services/proxy`. By default they fail with 501. */
  readonly connect?: ConnectHandler;
  /** APIs that other servers serve. By default there are none. */
  readonly aggregated?: AggregatedApis;
  /** Versions of the aggregated format of discovery that are served. By default all; without any, discovery has its plain format only. */
  readonly aggregatedDiscovery?: readonly ('v2' | 'v2beta1')[];
  /** Compresses long responses for clients that accept gzip. By default responses are not compressed. */
  readonly compress?: Compress;
  /** Whether objects that cannot be read may be deleted, by an option of DELETE. Default false: the option is ignored. */
  readonly deletesUnreadable?: boolean;
  /** Additional documents, each served at a path of its own. */
  readonly documents?: readonly FixedDocument[];
  /** Records metrics of requests; served at `/metrics`. By default none are recorded. */
  readonly metrics?: Metrics;
  /** Makes the profiles at `/debug/pprof/`. By default there are none. */
  readonly profiler?: Profiler;
  /** Maximum duration of a request that is not a watch; default 60,000. */
  readonly requestTimeoutMilliseconds?: number;
  /** Watches without `timeoutSeconds` end after a random time between this and twice as long; default 1,800. */
  readonly minimumWatchSeconds?: number;
  /** Whether the catalog is complete after startup: until then unknown paths are answered with 503. Always true by default. */
  readonly isComplete?: () => boolean;
  /** Called with each request that is answered and whose path can be read. */
  readonly audit?: (event: AuditEvent) => void;
  /** Records the events of requests that its policy names. By default none are. */
  readonly auditor?: Auditor;
  /** Called with unexpected errors, which are not a StatusError. */
  readonly onError?: (error: unknown, request: ServerRequest) => void;
}

/** Maximum duration of requests in milliseconds. */
export const requestTimeoutOf = ({ requestTimeoutMilliseconds = 60_000 }: ApiHandlerOptions): number =>
  requestTimeoutMilliseconds;
