import type { Count, Distribution, Metrics, ServerRequest, ServerResponse } from '@ashlar/core';
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

/** What is counted of every request (semantics/discovery#metrics). */
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
  // what is asked alike is counted in one place, which is looked for once
  const places = new Map<string, Place>();
  return {
    answered(scope, response, seconds) {
      const key = keyOf(scope);
      let place = places.get(key);
      if (!place) {
        const labels = labelsOf(scope);
        place = { labels, duration: duration.of(labels), codes: new Map() };
        places.set(key, place);
      }
      let count = place.codes.get(response.status);
      if (!count) {
        count = total.of([...place.labels, String(response.status)]);
        place.codes.set(response.status, count);
      }
      count.add();
      if (scope.info.verb !== 'watch') place.duration.observe(seconds);
    },
  };
}

interface Place {
  readonly labels: readonly string[];
  readonly duration: Distribution;
  readonly codes: Map<number, Count>;
}

/** All that labels are made of. */
function keyOf({ info, request, types }: RequestScope): string {
  const { verb, name, inNamespace, isResourceRequest } = info;
  const scope = name !== '' ? 'r' : inNamespace ? 'n' : 'c';
  const dryRun = info.query.get('dryRun') === 'All' ? 'd' : '';
  const apply = isApply(verb, request) ? 'a' : '';
  if (!isResourceRequest || !types)
    return `${isResourceRequest} ${scope} ${verb in VERBS ? verb : ''} ${dryRun}`;
  return `${scope}${dryRun} ${verb} ${info.apiGroup}/${info.apiVersion}/${info.resource}/${info.subresource} ${apply}`;
}

function labelsOf({ info, request, types }: RequestScope): readonly string[] {
  const { isResourceRequest, verb, name, inNamespace } = info;
  const dryRun = info.query.get('dryRun') === 'All' ? 'All' : '';
  const scope = !isResourceRequest ? '' : name !== '' ? 'resource' : inNamespace ? 'namespace' : 'cluster';
  // what nobody serves has many names, and callers choose them
  const isServed = isResourceRequest && types !== undefined;
  return [
    isApply(verb, request) ? 'APPLY' : (VERBS[verb] ?? 'other'),
    dryRun,
    ...(isServed ? [info.apiGroup, info.apiVersion, info.resource, info.subresource] : ['', '', '', '']),
    scope,
    'apiserver',
  ];
}

function isApply(verb: string, { headers }: ServerRequest): boolean {
  return verb === 'patch' && headers.get('content-type')?.includes('apply-patch') === true;
}
