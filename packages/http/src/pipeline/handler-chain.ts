import { ANONYMOUS_USER, parseBearerToken, withAuthenticationMetrics } from '@ashlar/authn';
import { withAuthorizationMetrics } from '@ashlar/authz';
import type { Authentication, ServerRequest, ServerResponse } from '@ashlar/core';
import { negotiateFailure } from '../encoding/negotiate-response.ts';
import { requireAuthorized } from '../request/request-context.ts';
import type { ApiHandlerOptions } from './api-handler-options.ts';
import { unauthorizedResponse } from './error-response.ts';
import { createForeignCallerCheck } from './foreign-callers.ts';
import { impersonate } from './impersonate.ts';
import type { InFlightLimiter } from './in-flight-limiter.ts';
import { PlainTextError } from './plain-text-error.ts';
import { deadlineExceeded, requestDeadline, withDeadline } from './request-deadline.ts';
import type { RequestScope } from './request-scope.ts';

/** Handles a request that is authenticated and authorized. */
export type ScopeHandler = (scope: RequestScope) => Promise<ServerResponse>;

/**
 * Creates the filters of every request: deadline, authentication, impersonation, in-flight limits and authorization
 * (semantics/requests#filter-order).
 * @param handle called for requests that pass
 */
export function createHandlerChain(
  options: ApiHandlerOptions,
  limiter: InFlightLimiter,
  handle: ScopeHandler,
): (scope: RequestScope) => ServerResponse | Promise<ServerResponse> {
  const { ambient, authorizer, metrics, catalog } = options;
  const { vocabulary } = catalog;
  const authenticator = metrics
    ? withAuthenticationMetrics(options.authenticator, { metrics, ambient })
    : options.authenticator;
  // only the authorization of requests is counted, not other questions to the authorizer
  const requestAuthorizer = metrics
    ? withAuthorizationMetrics(authorizer, { metrics, clock: ambient.clock })
    : authorizer;
  const { anonymousFrom } = options;
  const checkAnonymous = anonymousFrom && createForeignCallerCheck(anonymousFrom);
  const longest = options.requestTimeoutMilliseconds ?? 60_000;

  // unauthenticated requests are answered without a promise and a timer: they may be many
  return (scope) => {
    const { info, request } = scope;
    const deadline = requestDeadline(info, longest);
    const caller = authenticate(request);
    if (!(caller instanceof Promise) && caller.outcome !== 'authenticated') return unauthorized(scope);
    const response = handleCaller(scope, caller);
    if (info.verb === 'watch') return response;
    return withDeadline(ambient.clock, deadline, response, () => scope.timeOut());
  };

  function authenticate(request: ServerRequest): Authentication | Promise<Authentication> {
    try {
      return authenticator.authenticate(request);
    } catch (error) {
      throw authenticatorFailed(error);
    }
  }

  function unauthorized(scope: RequestScope): ServerResponse {
    const { info, request } = scope;
    warnOfCredentials(scope);
    return unauthorizedResponse(negotiateFailure(request, info.query, vocabulary));
  }

  async function handleCaller(
    scope: RequestScope,
    caller: Authentication | Promise<Authentication>,
  ): Promise<ServerResponse> {
    const found = caller instanceof Promise ? await caller.catch(throwFailed) : caller;
    if (found.outcome !== 'authenticated') return unauthorized(scope);
    warnOfCredentials(scope);
    if (checkAnonymous && found.user.name === ANONYMOUS_USER) checkAnonymous(scope.request);
    const user = impersonate(authorizer, scope, found.user, vocabulary);
    scope.user = user instanceof Promise ? await user : user;
    // those with a body begin when it has arrived
    const turn = scope.request.method === 'GET' && mayBeCostly(scope) ? scope.costs.begin(scope) : undefined;
    if (turn) await turn;
    if (scope.info.verb === 'watch') return authorized(scope);
    if (scope.isTimedOut) throw deadlineExceeded();
    scope.release = limiter.acquire(scope.info.verb, scope.user);
    try {
      return await authorized(scope);
    } finally {
      scope.release?.();
    }
  }

  async function authorized(scope: RequestScope): Promise<ServerResponse> {
    await requireAuthorized(requestAuthorizer, scope);
    if (scope.isTimedOut) throw deadlineExceeded();
    return handle(scope);
  }
}

/** Returns the error that clients see if an authenticator throws; its cause is logged. */
function authenticatorFailed(cause: unknown): PlainTextError {
  return new PlainTextError(500, 'Internal Server Error: an authenticator failed\n', {}, cause);
}

function throwFailed(cause: unknown): never {
  throw authenticatorFailed(cause);
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
