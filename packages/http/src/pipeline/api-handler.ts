import type { Auditor } from '@ashlar/audit';
import {
  type Handler,
  type MaybePromise,
  randomUuid,
  runAtOnce,
  runInSlices,
  type ServerRequest,
  type ServerResponse,
  StatusError,
  type Steps,
} from '@ashlar/core';
import { forwardRequest } from '../aggregated/forward-request.ts';
import type { AuditSurroundings } from '../auditing/audited-request.ts';
import { RequestAudit } from '../auditing/request-audit.ts';
import { negotiateFailure } from '../encoding/negotiate-response.ts';
import { createRequestMetrics } from '../metrics/request-metrics.ts';
import { isLongRunning, parseRequestInfo, type RequestInfo } from '../request/request-info.ts';
import { createResourceHandler } from '../verbs/resource-handler.ts';
import { type ApiHandlerOptions, requestTimeoutOf } from './api-handler-options.ts';
import { type AuditEvent, auditEvent } from './audit-event.ts';
import { browserHeadersOf } from './browser-headers.ts';
import { CostlyRequests } from './costly-requests.ts';
import { errorResponse, errorResponseSteps, isBug } from './error-response.ts';
import { withEveryHeader } from './every-header.ts';
import { FlowLimiter } from './flow-limiter.ts';
import { createHandlerChain } from './handler-chain.ts';
import { InFlightLimiter } from './in-flight-limiter.ts';
import { LargeBodies } from './large-bodies.ts';
import { LargeHeads } from './large-heads.ts';
import { createNonResourceHandler } from './non-resource-handler.ts';
import { notYetServed, PageNotFoundError, pathNotFound } from './path-not-found.ts';
import { PlainTextError } from './plain-text-error.ts';
import { withDeadline } from './request-deadline.ts';
import { RequestScope } from './request-scope.ts';

/**
 * Creates the handler of the whole API, independent of the transport (semantics/requests#filter-order).
 * @example
 * const handler = createApiHandler({ catalog, ambient, authenticator, authorizer, health, version });
 * const response = await handler(request);
 */
export function createApiHandler(options: ApiHandlerOptions): Handler {
  const { catalog, ambient, metrics, aggregated } = options;
  const longest = requestTimeoutOf(options);
  const { flowControl } = options;
  const limiter = flowControl
    ? new FlowLimiter(flowControl, ambient)
    : new InFlightLimiter(options.limits ?? {});
  const counts = metrics && createRequestMetrics(metrics, limiter, ambient.clock);
  const resource = createResourceHandler(options);
  const nonResource = createNonResourceHandler(options);
  const handle = createHandlerChain(options, limiter, (scope) => {
    if (scope.info.path.startsWith('//')) throw pathNotFound(false);
    const forwarded = aggregated && forwardRequest(aggregated, scope, longest);
    return forwarded ?? (scope.info.isResourceRequest ? resource(scope) : nonResource(scope));
  });
  const browser = browserHeadersOf(options);
  const costs = new CostlyRequests(ambient);
  const largeHeads = new LargeHeads(ambient);
  const largeBodies = new LargeBodies(ambient);
  const now = (): number => ambient.clock.now();
  const auditing = options.auditor && auditSurroundings(options, options.auditor);

  return (request) => {
    const auditId = request.headers.get('audit-id') || randomUuid(ambient.transientRandom ?? ambient.random);
    const started = ambient.clock.monotonic();
    if (!request.isBackground) ambient.turns?.requestBegan();
    const isEarly = options.isComplete?.() === false;
    // all members at once: objects that gain members later are slow
    const exchange: Exchange = { request, auditId, started, isEarly, info: undefined, scope: undefined };
    try {
      const turn = largeHeads.begin(request);
      const response = turn ? handleAfterTurn(exchange, turn) : answer(exchange);
      return response instanceof Promise ? finishAsync(exchange, response) : finish(exchange, response);
    } catch (error) {
      return finish(exchange, runAtOnce(failureSteps(exchange, error)));
    }
  };

  function answer(exchange: Exchange): ServerResponse | Promise<ServerResponse> {
    const { request, auditId, started } = exchange;
    const info = requestInfo(request);
    if (!info) return UNREADABLE_TARGET;
    if (info instanceof PlainTextError) return errorResponse(info);
    exchange.info = info;
    const preflight = browser?.preflight(request);
    if (preflight) return preflight;
    const scope = new RequestScope(request, info, { auditId, started, now, costs, largeBodies });
    exchange.scope = scope;
    if (auditing) scope.audit = new RequestAudit(scope, auditing);
    return handle(scope);
  }

  async function handleAfterTurn(exchange: Exchange, turn: Promise<void>): Promise<ServerResponse> {
    await turn;
    return answer(exchange);
  }

  async function finishAsync(exchange: Exchange, response: Promise<ServerResponse>): Promise<ServerResponse> {
    try {
      return finish(exchange, await response);
    } catch (error) {
      return finish(exchange, await runInSlices(failureSteps(exchange, error), ambient));
    }
  }

  function finish(
    { request, scope, auditId }: Exchange,
    response: ServerResponse,
  ): MaybePromise<ServerResponse> {
    if (response === UNREADABLE_TARGET) return response;
    if (!scope)
      return { ...response, headers: { 'audit-id': auditId, ...browser?.of(request), ...response.headers } };
    scope.endBody?.();
    const counted = counts ? counts.record(scope, response) : response;
    if (options.audit) audit(options.audit, scope, response.status);
    const complete = withEveryHeader(counted, scope, browser?.of(request));
    return scope.audit ? recorded(scope, scope.audit, complete) : complete;
  }

  /** Waits until the last event is stored, but no longer than the request may take. */
  function recorded(
    scope: RequestScope,
    audit: RequestAudit,
    response: ServerResponse,
  ): MaybePromise<ServerResponse> {
    const stored = audit.complete(response);
    if (!(stored instanceof Promise) || isLongRunning(scope.info)) return stored;
    const left = (scope.endsAt ?? scope.started + longest) - ambient.clock.monotonic();
    if (scope.isTimedOut) return response;
    return withDeadline(ambient.clock, Math.max(0, left), stored).catch((error) =>
      withEveryHeader(errorResponse(error), scope, browser?.of(scope.request)),
    );
  }

  /** A listener that fails fails no request. */
  function audit(listener: (event: AuditEvent) => void, scope: RequestScope, code: number): void {
    try {
      listener(auditEvent(scope, code));
    } catch (error) {
      options.onError?.(error, scope.request);
    }
  }

  function failureSteps({ request, info, scope, isEarly }: Exchange, error: unknown): Steps<ServerResponse> {
    // a PlainTextError is part of the API; its cause, if any, is the failure
    const reported = error instanceof PlainTextError ? error.cause : error;
    if (reported !== undefined && !StatusError.is(reported)) options.onError?.(reported, request);
    const answered = isEarly && error instanceof PageNotFoundError ? notYetServed() : error;
    scope?.audit?.failed(answered, isBug(error));
    const representation = negotiateFailure(request, info?.query, catalog.vocabulary, scope?.types);
    return errorResponseSteps(answered, representation, scope?.isAuthorized === true);
  }
}

function auditSurroundings({ ambient, onError }: ApiHandlerOptions, auditor: Auditor): AuditSurroundings {
  return { auditor, ambient, onError: onError ?? (() => {}) };
}

/** A request while it is handled. */
interface Exchange {
  readonly request: ServerRequest;
  readonly auditId: string;
  /** When it arrived, on the monotonic clock. */
  readonly started: number;
  /** Whether it arrived before the catalog was complete. */
  readonly isEarly: boolean;
  info: RequestInfo | undefined;
  scope: RequestScope | undefined;
}

/** Returns undefined if the path has an invalid percent-encoding, and an error if it ends too early. */
function requestInfo(request: ServerRequest): RequestInfo | PlainTextError | undefined {
  try {
    return parseRequestInfo(request.method, request.url);
  } catch (error) {
    return error instanceof PlainTextError ? error : undefined;
  }
}

/** The response to a target that is not one, without the headers of other responses (semantics/status#situations). */
const UNREADABLE_TARGET: ServerResponse = {
  status: 400,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: new TextEncoder().encode('400 Bad Request'),
};
