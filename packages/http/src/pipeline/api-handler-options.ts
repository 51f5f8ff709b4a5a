import type { Ambient, Authenticator, Authorizer, Metrics, ServerRequest } from '@ashlar/core';
import type { ApiCatalog } from '../catalog/api-catalog.ts';
import type { ServerVersion } from '../discovery/version-handler.ts';
import type { Compress } from '../encoding/compressed-response.ts';
import type { HealthChecks } from '../health/health.ts';
import type { FixedDocument } from '../openapi/fixed-documents.ts';
import type { ConnectHandler } from '../verbs/connect-handler.ts';
import type { AnonymousOrigins } from './foreign-callers.ts';
import type { InFlightLimits } from './in-flight-limiter.ts';

export interface ApiHandlerOptions {
  readonly catalog: ApiCatalog;
  readonly ambient: Ambient;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly health: HealthChecks;
  readonly version: ServerVersion;
  /** Address that `/api` tells, as `host:port`. */
  readonly serverAddress?: () => string;
  /**
   * Has anonymous callers come under the names of the server and from no web pages of others, but from these; without it they come from
   * anywhere.
   */
  readonly anonymousFrom?: AnonymousOrigins;
  readonly limits?: InFlightLimits;
  /** Answers what only a host can: `pods/log`, `services/proxy`. Without it such requests are refused with 501. */
  readonly connect?: ConnectHandler;
  /** How long answers are compressed for callers who take that; without it they are not. */
  readonly compress?: Compress;
  /** Further paths that answer with a document of their own. */
  readonly documents?: readonly FixedDocument[];
  /** Where requests are counted; served at `/metrics`. Without it nothing is counted. */
  readonly metrics?: Metrics;
  /** Longest that a request may take that is no watch; default 60 s. */
  readonly requestTimeoutMilliseconds?: number;
  /** Whether the catalog has all that it will have after the start: until then unknown paths are answered with 503. Default: always. */
  readonly isComplete?: () => boolean;
  /** Told of failures that are nobody's refusal. */
  readonly onError?: (error: unknown, request: ServerRequest) => void;
}
