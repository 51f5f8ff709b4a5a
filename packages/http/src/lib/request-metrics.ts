import type { Metrics, ServerResponse } from '@ashlar/core';
import type { InFlightLimiter } from './in-flight-limiter.ts';
import type { RequestScope } from './request-scope.ts';

const LABELS = ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component'];
const SECONDS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

const VERBS: Readonly<Record<string, string>> = {
  create: 'POST',
  update: 'PUT',
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
};

/** What is counted of every request (semantics L6). */
export interface RequestMetrics {
  /** @param seconds from the request's arrival to its answer */
  answered(scope: RequestScope, response: ServerResponse, seconds: number): void;
}

/** Registers the metrics of requests. */
export function createRequestMetrics(metrics: Metrics, limiter: InFlightLimiter): RequestMetrics {
  const total = metrics.counter({
    name: 'apiserver_request_total',
    help: 'Requests that were answered, by what they asked for and how.',
    labels: [...LABELS, 'code'],
  });
  const duration = metrics.histogram(
    {
      name: 'apiserver_request_duration_seconds',
      help: 'How long answers took, watches aside.',
      labels: LABELS,
    },
    SECONDS,
  );
  metrics.gauge(
    {
      name: 'apiserver_current_inflight_requests',
      help: 'Requests that are being answered.',
      labels: ['request_kind'],
    },
    () => [
      { labels: ['mutating'], value: limiter.current('mutating') },
      { labels: ['readOnly'], value: limiter.current('readOnly') },
    ],
  );
  return {
    answered(scope, response, seconds) {
      const labels = labelsOf(scope);
      total.add([...labels, String(response.status)]);
      if (scope.info.verb !== 'watch') duration.observe(labels, seconds);
    },
  };
}

function labelsOf({ info, request, types }: RequestScope): readonly string[] {
  const { isResourceRequest, verb, name, inNamespace } = info;
  const isApply = verb === 'patch' && request.headers.get('content-type')?.includes('apply-patch') === true;
  const dryRun = info.query.get('dryRun') === 'All' ? 'All' : '';
  const scope = !isResourceRequest ? '' : name !== '' ? 'resource' : inNamespace ? 'namespace' : 'cluster';
  // what nobody serves has many names, and callers choose them
  const isServed = isResourceRequest && types !== undefined;
  return [
    isApply ? 'APPLY' : (VERBS[verb] ?? 'other'),
    dryRun,
    ...(isServed ? [info.apiGroup, info.apiVersion, info.resource, info.subresource] : ['', '', '', '']),
    scope,
    'apiserver',
  ];
}
