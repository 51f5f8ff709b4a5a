import { parseBearerToken, withAuthenticationMetrics } from '@ashlar/authn';
import { withAuthorizationMetrics } from '@ashlar/authz';
import {
  type Ambient,
  type Authentication,
  type Authenticator,
  type Authorizer,
  type Handler,
  type Metrics,
  randomUuid,
  type ServerRequest,
  type ServerResponse,
  StatusError,
} from '@ashlar/core';
import { handleAction } from './action-handler.ts';
import type { ApiCatalog } from './api-catalog.ts';
import { type Compress, compressedResponse } from './compressed-response.ts';
import { type ConnectHandler, connect } from './connect-handler.ts';
import { handleDelete, handleDeleteCollection } from './delete-handlers.ts';
import { createDiscoveryHandler } from './discovery-handler.ts';
import { errorResponse, unauthorizedResponse } from './error-response.ts';
import { answerFixed, type FixedDocument } from './fixed-documents.ts';
import type { HealthChecks } from './health.ts';
import { impersonate } from './impersonate.ts';
import { InFlightLimiter, type InFlightLimits } from './in-flight-limiter.ts';
import { answerMetrics } from './metrics-handler.ts';
import { negotiateFailure } from './negotiate-response.ts';
import { createOpenApiHandler, V2_PATH } from './openapi-handler.ts';
import { handlePatch } from './patch-handler.ts';
import { resolvePath } from './path-resolution.ts';
import { PlainTextError } from './plain-text-error.ts';
import { handleGet, handleList } from './read-handlers.ts';
import { requireAuthorized } from './request-context.ts';
import { requestDeadline, withDeadline } from './request-deadline.ts';
import { parseRequestInfo, type RequestInfo } from './request-info.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { RequestScope } from './request-scope.ts';
import type { ResourceRequest } from './resource-request.ts';
import { notYetServed, PageNotFoundError, unrouted } from './unrouted.ts';
import { type ServerVersion, versionResponse } from './version-handler.ts';
import { handleWatch } from './watch-handler.ts';
import { handleCreate, handleUpdate } from './write-handlers.ts';

export interface ApiHandlerOptions {
  readonly catalog: ApiCatalog;
  readonly ambient: Ambient;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly health: HealthChecks;
  readonly version: ServerVersion;
  /** Address that `/api` tells, as `host:port`. */
  readonly serverAddress?: () => string;
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

type ResourceHandler = (request: ResourceRequest) => Promise<ServerResponse>;

const RESOURCE_HANDLERS: Readonly<Record<string, ResourceHandler>> = {
  get: handleGet,
  list: handleList,
  watch: handleWatch,
  create: handleCreate,
  update: handleUpdate,
  patch: handlePatch,
  delete: handleDelete,
  deletecollection: handleDeleteCollection,
};

/**
 * The whole API behind one function: request in, response out, whatever carries them (semantics N1).
 * @example
 * const handler = createApiHandler({ catalog, ambient, authenticator, authorizer, health, version });
 * const response = await handler(request);
 */
export function createApiHandler(options: ApiHandlerOptions): Handler {
  const { catalog, ambient, authorizer, health, version, metrics } = options;
  const authenticator = metrics
    ? withAuthenticationMetrics(options.authenticator, { metrics, ambient })
    : options.authenticator;
  // what is asked beside whether a request may go on is not counted
  const gatekeeper = metrics
    ? withAuthorizationMetrics(authorizer, { metrics, clock: ambient.clock })
    : authorizer;
  const discovery = createDiscoveryHandler(catalog, options.serverAddress ?? (() => ''));
  const openApi = createOpenApiHandler(catalog, version.gitVersion);
  const now = (): number => ambient.clock.now();
  const limiter = new InFlightLimiter(options.limits ?? {});
  const counts = metrics && createRequestMetrics(metrics, limiter);
  const longest = options.requestTimeoutMilliseconds ?? 60_000;

  return (request) => {
    const auditId = request.headers.get('audit-id') || randomUuid(ambient.random);
    const begun = ambient.clock.monotonic();
    const isEarly = options.isComplete?.() === false;
    // all members at once: objects that grow are slow
    const exchange: Exchange = { request, auditId, begun, isEarly, info: undefined, scope: undefined };
    try {
      exchange.info = requestInfo(request);
      exchange.scope = new RequestScope(request, exchange.info, auditId, now);
      const answer = handle(exchange.scope);
      return answer instanceof Promise ? later(exchange, answer) : finished(exchange, answer);
    } catch (error) {
      return finished(exchange, failure(exchange, error));
    }
  };

  async function later(exchange: Exchange, answer: Promise<ServerResponse>): Promise<ServerResponse> {
    try {
      return finished(exchange, await answer);
    } catch (error) {
      return finished(exchange, failure(exchange, error));
    }
  }

  function finished({ scope, auditId, begun }: Exchange, response: ServerResponse): ServerResponse {
    if (scope) counts?.answered(scope, response, (ambient.clock.monotonic() - begun) / 1000);
    return withEveryHeader(response, auditId, scope?.warnings ?? []);
  }

  function failure({ request, info, scope, isEarly }: Exchange, error: unknown): ServerResponse {
    if (!StatusError.is(error) && !(error instanceof PlainTextError)) options.onError?.(error, request);
    const told = isEarly && error instanceof PageNotFoundError ? notYetServed() : error;
    return errorResponse(told, negotiateFailure(request, info?.query, catalog.vocabulary, scope?.types));
  }

  /** Answers strangers at once: they come in crowds, and nothing is set up for them. */
  function handle(scope: RequestScope): ServerResponse | Promise<ServerResponse> {
    const { info, request } = scope;
    const deadline = requestDeadline(info, longest);
    const caller = authenticator.authenticate(request);
    if (!(caller instanceof Promise) && caller.outcome !== 'authenticated') return unauthorized(scope);
    const answer = known(scope, caller);
    return info.verb === 'watch' ? answer : withDeadline(ambient.clock, deadline, answer);
  }

  function unauthorized(scope: RequestScope): ServerResponse {
    const { info, request } = scope;
    warnOfCredentials(scope);
    return unauthorizedResponse(negotiateFailure(request, info.query, catalog.vocabulary));
  }

  async function known(
    scope: RequestScope,
    caller: Authentication | Promise<Authentication>,
  ): Promise<ServerResponse> {
    const found = caller instanceof Promise ? await caller : caller;
    if (found.outcome !== 'authenticated') return unauthorized(scope);
    warnOfCredentials(scope);
    const user = impersonate(authorizer, scope, found.user, catalog.vocabulary);
    scope.user = user instanceof Promise ? await user : user;
    if (scope.info.verb === 'watch') return authorized(scope);
    const release = limiter.enter(scope.info.verb, scope.user);
    try {
      return await authorized(scope);
    } finally {
      release();
    }
  }

  async function authorized(scope: RequestScope): Promise<ServerResponse> {
    await requireAuthorized(gatekeeper, scope);
    return scope.info.isResourceRequest ? resource(scope) : nonResource(scope);
  }

  function resource(scope: RequestScope): Promise<ServerResponse> {
    const { info, request } = scope;
    const warning = catalog.find(info.apiGroup, info.apiVersion, info.resource)?.version.warning;
    if (warning) scope.warn(warning);
    const { served, verbs, subresource, action, connection } = resolvePath(catalog, info, request.method);
    const handler = RESOURCE_HANDLERS[info.verb];
    const isNamed = info.name !== '' && !action && !connection;
    if (!handler) throw StatusError.methodNotAllowed();
    // users' objects can be posted to any name: that in the body counts
    const takesPosts = served.routes === 'custom' && info.subresource === '';
    if (info.verb === 'create' && isNamed && !takesPosts) throw notServed(info, served);
    if (!verbs.includes(info.verb)) throw notServed(info, served);
    if (info.name === '' && NAMED_VERBS.has(info.verb)) throw nameless(served);
    scope.types = served.mediaTypes.types;
    if (served.definition.terminating && info.verb === 'create') throw terminating(served);
    const found = { scope, served, subresource, ambient, authorizer };
    if (connection) return connect(scope, served, options.connect, catalog.vocabulary);
    return compressible(scope, action ? handleAction(found, action, catalog) : handler(found));
  }

  async function compressible(
    { request }: RequestScope,
    answer: Promise<ServerResponse>,
  ): Promise<ServerResponse> {
    return compressedResponse(request, await answer, options.compress, (error) =>
      options.onError?.(error, request),
    );
  }

  async function nonResource(scope: RequestScope): Promise<ServerResponse> {
    const answer =
      health.handle(scope) ?? answerFixed(options.documents, scope) ?? answerMetrics(metrics, health, scope);
    if (answer) return answer;
    const described = openApi(scope);
    if (described) return scope.info.path === V2_PATH ? compressible(scope, described) : described;
    const found = discovery(scope);
    if (found) return compressible(scope, found);
    const { path } = scope.info;
    if (path === '/version' || path === '/version/')
      return versionResponse(version, scope.request.headers.get('accept'));
    throw unrouted(false);
  }
}

/** A request until it is answered, and what is found out about it on its way. */
interface Exchange {
  readonly request: ServerRequest;
  readonly auditId: string;
  /** On the monotonic clock. */
  readonly begun: number;
  /** Whether it came before everything that is stored was served. */
  readonly isEarly: boolean;
  info: RequestInfo | undefined;
  scope: RequestScope | undefined;
}

/** @throws StatusError 400 */
function requestInfo(request: ServerRequest): RequestInfo {
  try {
    return parseRequestInfo(request.method, request.url);
  } catch (error) {
    throw StatusError.badRequest('the path of the request has a broken escape', error);
  }
}

const NAMED_VERBS = new Set(['update', 'patch']);

/** Writes of one object to the path of a collection. */
function nameless({ routes }: ResourceRequest['served']): StatusError {
  return routes === 'built-in'
    ? StatusError.methodNotAllowed()
    : StatusError.badRequest('name must be provided');
}

/** Of a type that is being removed nothing new is made (semantics M4). */
function terminating({ groupResource }: ResourceRequest['served']): StatusError {
  const { code, reason, details } = StatusError.methodNotSupported(groupResource, 'create');
  const message = 'create not allowed while custom resource definition is terminating';
  return new StatusError({ code, reason, message, ...(details && { details }) });
}

function notServed({ verb }: RequestInfo, { routes, groupResource }: ResourceRequest['served']): StatusError {
  return routes === 'built-in'
    ? StatusError.methodNotAllowed()
    : StatusError.methodNotSupported(groupResource, verb);
}

/** Tells callers of credentials that were passed over (semantics K1). */
function warnOfCredentials({ request, warn }: RequestScope): void {
  const line = request.headers.get('authorization');
  const warning = line?.includes('  ') ? parseBearerToken(line).warning : undefined;
  if (warning !== undefined) warn(warning);
}

/** Headers of every answer (semantics A3). */
function withEveryHeader(
  { status, headers, body, upgrade }: ServerResponse,
  auditId: string,
  warnings: readonly string[],
): ServerResponse {
  const all = { 'audit-id': auditId, 'cache-control': 'no-cache, private', ...headers };
  return { status, headers: warnings.length > 0 ? { ...all, warning: warnings } : all, body, upgrade };
}
