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
import { deadlineOver, requestDeadline, withDeadline } from './request-deadline.ts';
import type { RequestScope } from './request-scope.ts';

/** Answers a request whose caller may make it. */
export type ScopeHandler = (scope: RequestScope) => Promise<ServerResponse>;

/**
 * What stands before every answer: the deadline, who asks, as whom, how many ask at once, and whether he may (semantics/requests#filter-order).
 * @param answer of those who get through
 */
export function createHandlerChain(
  options: ApiHandlerOptions,
  limiter: InFlightLimiter,
  answer: ScopeHandler,
): (scope: RequestScope) => ServerResponse | Promise<ServerResponse> {
  const { ambient, authorizer, metrics, catalog } = options;
  const { vocabulary } = catalog;
  const authenticator = metrics
    ? withAuthenticationMetrics(options.authenticator, { metrics, ambient })
    : options.authenticator;
  // what is asked beside whether a request may go on is not counted
  const gatekeeper = metrics
    ? withAuthorizationMetrics(authorizer, { metrics, clock: ambient.clock })
    : authorizer;
  const { anonymousFrom } = options;
  const checkAnonymous = anonymousFrom && createForeignCallerCheck(anonymousFrom);
  const longest = options.requestTimeoutMilliseconds ?? 60_000;

  // strangers are answered at once: they come in crowds, and nothing is set up for them
  return (scope) => {
    const { info, request } = scope;
    const deadline = requestDeadline(info, longest);
    const caller = askWho(request);
    if (!(caller instanceof Promise) && caller.outcome !== 'authenticated') return unauthorized(scope);
    const answered = known(scope, caller);
    if (info.verb === 'watch') return answered;
    return withDeadline(ambient.clock, deadline, answered, () => scope.giveUp());
  };

  function askWho(request: ServerRequest): Authentication | Promise<Authentication> {
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

  async function known(
    scope: RequestScope,
    caller: Authentication | Promise<Authentication>,
  ): Promise<ServerResponse> {
    const found = caller instanceof Promise ? await caller.catch(throwFailed) : caller;
    if (found.outcome !== 'authenticated') return unauthorized(scope);
    warnOfCredentials(scope);
    if (checkAnonymous && found.user.name === ANONYMOUS_USER) checkAnonymous(scope.request);
    const user = impersonate(authorizer, scope, found.user, vocabulary);
    scope.user = user instanceof Promise ? await user : user;
    if (scope.info.verb === 'watch') return authorized(scope);
    if (scope.isGivenUp) throw deadlineOver();
    scope.leave = limiter.enter(scope.info.verb, scope.user);
    try {
      return await authorized(scope);
    } finally {
      scope.leave?.();
    }
  }

  async function authorized(scope: RequestScope): Promise<ServerResponse> {
    await requireAuthorized(gatekeeper, scope);
    if (scope.isGivenUp) throw deadlineOver();
    return answer(scope);
  }
}

/** What the caller is told of an authenticator that throws; what it threw is for the log. */
function authenticatorFailed(cause: unknown): PlainTextError {
  return new PlainTextError(500, 'Internal Server Error: an authenticator failed\n', {}, cause);
}

function throwFailed(cause: unknown): never {
  throw authenticatorFailed(cause);
}

/** Tells callers of credentials that were passed over (semantics/access#authentication). */
function warnOfCredentials({ request, warn }: RequestScope): void {
  const line = request.headers.get('authorization');
  const warning = line?.includes('  ') ? parseBearerToken(line).warning : undefined;
  if (warning !== undefined) warn(warning);
}
