import { ANONYMOUS_USER, parseBearerToken, withAuthenticationMetrics } from '@ashlar/authn';
import { withAuthorizationMetrics } from '@ashlar/authz';
import {
  type Authenticated,
  type Authentication,
  andThen,
  type MaybePromise,
  orElse,
  type ServerRequest,
  type ServerResponse,
  StatusError,
  type UserInfo,
} from '@ashlar/core';
import { negotiateFailure } from '../encoding/negotiate-response.ts';
import { LateHandlers } from '../metrics/late-handlers.ts';
import { requireAuthorized } from '../request/request-context.ts';
import { isLongRunning } from '../request/request-info.ts';
import { type ApiHandlerOptions, requestTimeoutOf } from './api-handler-options.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { unauthorizedResponse } from './error-response.ts';
import { createForeignCallerCheck } from './foreign-callers.ts';
import { impersonate } from './impersonate.ts';
import { PlainTextError } from './plain-text-error.ts';
import { deadlineExceeded, requestDeadline, withDeadline } from './request-deadline.ts';
import type { RequestScope } from './request-scope.ts';

/** Handles a request that is authenticated and authorized. */
export type ScopeHandler = (scope: RequestScope) => MaybePromise<ServerResponse>;

/**
 * Creates the filters of every request: deadline, authentication, impersonation, limits of concurrent requests and authorization
 * (semantics/requests#filter-order).
 * @param handle called for requests that pass
 */
export function createHandlerChain(
  options: ApiHandlerOptions,
  limiter: ConcurrencyLimiter,
  handle: ScopeHandler,
): ScopeHandler {
  const { ambient, authorizer, metrics, catalog } = options;
  const { vocabulary } = catalog;
  const authenticator = metrics
    ? withAuthenticationMetrics(options.authenticator, { metrics, ambient })
    : options.authenticator;
  // only the authorization of requests is counted, not other questions to the authorizer
  const requestAuthorizer = metrics
    ? withAuthorizationMetrics(authorizer, { metrics, clock: ambient.clock })
    : authorizer;
  const lateHandlers = metrics && new LateHandlers(metrics);
  const { anonymousFrom } = options;
  const checkAnonymous = anonymousFrom && createForeignCallerCheck(anonymousFrom);
  const longest = requestTimeoutOf(options);

  return (scope) => {
    const isBounded = !isLongRunning(scope.info);
    const deadline = requestDeadline(scope.info, longest);
    scope.deadline = deadline;
    const response = andThen(authenticate(scope.request), (caller) => handleCaller(scope, caller));
    // refusals and most reads are answered without a promise and a timer
    if (!isBounded || !(response instanceof Promise)) return response;
    return withDeadline(ambient.clock, deadline, response, () => {
      scope.timeOut();
      lateHandlers?.follow(response);
      return deadlineExceeded();
    });
  };

  function authenticate(request: ServerRequest): MaybePromise<Authentication> {
    return orElse(() => authenticator.authenticate(request), authenticatorFailed);
  }

  function unauthorized(scope: RequestScope): ServerResponse {
    const { info, request } = scope;
    warnOfCredentials(scope);
    scope.audit?.failed(StatusError.unauthorized(), false);
    return unauthorizedResponse(negotiateFailure(request, info.query, vocabulary));
  }

  function handleCaller(scope: RequestScope, caller: Authentication): MaybePromise<ServerResponse> {
    // it is answered, and its last event recorded
    if (scope.isTimedOut) throw deadlineExceeded();
    if (caller.outcome !== 'authenticated') return unauthorized(scope);
    warnOfCredentials(scope);
    if (caller.annotations || caller.warnings) addRemarks(scope, caller);
    if (scope.audit) return andThen(scope.audit.begin(caller.user), () => handleUser(scope, caller.user));
    return handleUser(scope, caller.user);
  }

  function handleUser(scope: RequestScope, caller: UserInfo): MaybePromise<ServerResponse> {
    if (checkAnonymous && caller.name === ANONYMOUS_USER) checkAnonymous(scope.request);
    return andThen(impersonate(authorizer, scope, caller, vocabulary), (user) => {
      scope.user = user;
      scope.audit?.actAs(user);
      return andThen(inTurn(scope), () => limited(scope));
    });
  }

  /** Waits for the turn of a request that may be costly; those with a body begin when it has arrived. */
  function inTurn(scope: RequestScope): MaybePromise<void> {
    if (scope.request.method === 'GET' && mayBeCostly(scope)) return scope.costs.begin(scope);
  }

  function limited(scope: RequestScope): MaybePromise<ServerResponse> {
    if (scope.isTimedOut) throw deadlineExceeded();
    return limiter.run(scope, authorized);
  }

  function authorized(scope: RequestScope): MaybePromise<ServerResponse> {
    return andThen(requireAuthorized(requestAuthorizer, scope), () => {
      if (scope.isTimedOut) throw deadlineExceeded();
      scope.isAuthorized = true;
      return handle(scope);
    });
  }
}

/** Returns the error that clients see if an authenticator throws; its cause is logged. */
function authenticatorFailed(cause: unknown): PlainTextError {
  return new PlainTextError(500, 'Internal Server Error: an authenticator failed\n', {}, cause);
}

/** Warns about credentials that were ignored (semantics/access#authentication). */
function warnOfCredentials({ request, warn }: RequestScope): void {
  const line = request.headers.get('authorization');
  const warning = line?.includes('  ') ? parseBearerToken(line).warning : undefined;
  if (warning !== undefined) warn(warning);
}

/** A request for one object is measured only if its parameters are long: measuring it costs about as much as finding the object. */
function mayBeCostly({ request, info }: RequestScope): boolean {
  return info.verb !== 'get' || request.url.length > LONG_TARGET;
}

const LONG_TARGET = 1_000;

/** Adds what an authenticator remarked of the credentials. */
function addRemarks(scope: RequestScope, { annotations = {}, warnings = [] }: Authenticated): void {
  for (const [key, value] of Object.entries(annotations)) scope.annotate(key, value);
  for (const text of warnings) scope.warn(text);
}
