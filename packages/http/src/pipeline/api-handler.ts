import { type Handler, randomUuid, type ServerRequest, type ServerResponse, StatusError } from '@ashlar/core';
import { negotiateFailure } from '../encoding/negotiate-response.ts';
import { parseRequestInfo, type RequestInfo } from '../request/request-info.ts';
import { createResourceHandler } from '../verbs/resource-handler.ts';
import type { ApiHandlerOptions } from './api-handler-options.ts';
import { errorResponse } from './error-response.ts';
import { createHandlerChain } from './handler-chain.ts';
import { InFlightLimiter } from './in-flight-limiter.ts';
import { createNonResourceHandler } from './non-resource-handler.ts';
import { PlainTextError } from './plain-text-error.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { RequestScope } from './request-scope.ts';
import { notYetServed, PageNotFoundError } from './unrouted.ts';

/**
 * The whole API behind one function: request in, response out, whatever carries them (semantics/requests#filter-order).
 * @example
 * const handler = createApiHandler({ catalog, ambient, authenticator, authorizer, health, version });
 * const response = await handler(request);
 */
export function createApiHandler(options: ApiHandlerOptions): Handler {
  const { catalog, ambient, metrics } = options;
  const limiter = new InFlightLimiter(options.limits ?? {});
  const counts = metrics && createRequestMetrics(metrics, limiter);
  const resource = createResourceHandler(options);
  const nonResource = createNonResourceHandler(options);
  const handle = createHandlerChain(options, limiter, (scope) =>
    scope.info.isResourceRequest ? resource(scope) : nonResource(scope),
  );
  const now = (): number => ambient.clock.now();

  return (request) => {
    const auditId = request.headers.get('audit-id') || randomUuid(ambient.random);
    const begun = ambient.clock.monotonic();
    ambient.turns?.requestBegan();
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
    // of a failure that is told in words of its own the cause is reported
    const reported = error instanceof PlainTextError ? error.cause : error;
    if (reported !== undefined && !StatusError.is(reported)) options.onError?.(reported, request);
    const told = isEarly && error instanceof PageNotFoundError ? notYetServed() : error;
    return errorResponse(told, negotiateFailure(request, info?.query, catalog.vocabulary, scope?.types));
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

/** Headers of every answer (semantics/status#headers). */
function withEveryHeader(
  { status, headers, body, upgrade }: ServerResponse,
  auditId: string,
  warnings: readonly string[],
): ServerResponse {
  const all = { 'audit-id': auditId, 'cache-control': 'no-cache, private', ...headers };
  return { status, headers: warnings.length > 0 ? { ...all, warning: warnings } : all, body, upgrade };
}
