import type { Count, Distribution, Metrics, ServerRequest, ServerResponse } from '@ashlar/core';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
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
  deletecollection: 'DELETE',
  // methods of paths that are no resources
  head: 'GET',
  post: 'POST',
  put: 'PUT',
};

/** Subresources that callers are connected to, whatever their method. */
const CONNECTIONS: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy']);

/** Records the metrics of requests (semantics/discovery#metrics). */
export interface RequestMetrics {
  /** @param seconds from the arrival of the request to its response */
  record(scope: RequestScope, response: ServerResponse, seconds: number): void;
}

/** Registers the metrics of requests. */
export function createRequestMetrics(metrics: Metrics, limiter: ConcurrencyLimiter): RequestMetrics {
  const total = metrics.counter({
    name: 'apiserver_request_total',
    help: 'Number of requests by verb, resource and response code.',
    labels: [...LABELS, 'code'],
  });
  const duration = metrics.histogram(
    {
      name: 'apiserver_request_duration_seconds',
      help: 'Duration of requests, except watches.',
      labels: LABELS,
    },
    SECONDS,
  );
  metrics.gauge(
    {
      name: 'apiserver_current_inflight_requests',
      help: 'Number of requests that are being handled.',
      labels: ['request_kind'],
    },
    () => [
      { labels: ['mutating'], value: limiter.current('mutating') },
      { labels: ['readOnly'], value: limiter.current('readOnly') },
    ],
  );
  const deprecated = new Map<string, readonly string[]>();
  metrics.gauge(
    {
      name: 'apiserver_requested_deprecated_apis',
      help: 'Deprecated APIs that were requested, by the release that no longer serves them.',
      labels: ['group', 'version', 'resource', 'subresource', 'removed_release'],
    },
    () => [...deprecated.values()].map((labels) => ({ labels, value: 1 })),
    () => deprecated.clear(),
  );
  // requests with equal labels share their counters, which are looked up once
  const served = new WeakMap<object, Map<string, Series>>();
  const others = new Map<string, Series>();
  return {
    record(scope, response, seconds) {
      const series = seriesOf(scope);
      const key = keyOf(scope);
      let own = series.get(key);
      if (!own) {
        const labels = labelsOf(scope);
        own = { labels, duration: duration.of(labels), codes: new Map() };
        series.set(key, own);
      }
      if (scope.removedRelease !== undefined) {
        const { apiGroup, apiVersion, resource, subresource } = scope.info;
        const requested = [apiGroup, apiVersion, resource, subresource, scope.removedRelease];
        deprecated.set(requested.join('\n'), requested);
      }
      let count = own.codes.get(response.status);
      if (!count) {
        count = total.of([...own.labels, String(response.status)]);
        own.codes.set(response.status, count);
      }
      count.add();
      if (scope.info.verb !== 'watch') own.duration.observe(seconds);
    },
  };

  /** Each resource has media types of its own: its series are found by them. */
  function seriesOf({ info, types }: RequestScope): Map<string, Series> {
    if (!info.isResourceRequest || !types) return others;
    let series = served.get(types);
    if (!series) {
      series = new Map();
      served.set(types, series);
    }
    return series;
  }
}

/** The metrics of requests with equal labels. */
interface Series {
  readonly labels: readonly string[];
  readonly duration: Distribution;
  readonly codes: Map<number, Count>;
}

/** Returns a key of everything that the labels of one resource depend on, without a new text for most requests. */
function keyOf({ info, request, types }: RequestScope): string {
  const { verb, name, subresource, isResourceRequest } = info;
  const dryRun = dryRunOf(info);
  const isServed = isResourceRequest && types !== undefined;
  const known = isServed || verb in VERBS ? verb : '';
  const isApplied = isApply(verb, request);
  if (isServed && name !== '' && subresource === '' && dryRun === '' && !isApplied) return known;
  return `${isResourceRequest} ${scopeOf(info)} ${known} ${dryRun} ${isApplied} ${isServed ? subresource : ''}`;
}

function labelsOf({ info, request, types }: RequestScope): readonly string[] {
  // clients choose the names of resources that are not served: as labels they would be unlimited
  const isServed = info.isResourceRequest && types !== undefined;
  return [
    isServed && CONNECTIONS.has(info.subresource) ? 'CONNECT' : verbOf(info.verb, request),
    dryRunOf(info),
    ...(isServed ? [info.apiGroup, info.apiVersion, info.resource, info.subresource] : ['', '', '', '']),
    scopeOf(info),
    'apiserver',
  ];
}

const verbOf = (verb: string, request: ServerRequest): string =>
  isApply(verb, request) ? 'APPLY' : (VERBS[verb] ?? 'other');

type RequestInfo = RequestScope['info'];

/** How much a request is about; what is created counts as one object. */
function scopeOf({ isResourceRequest, verb, name, inNamespace }: RequestInfo): string {
  if (!isResourceRequest) return '';
  if (name !== '' || verb === 'create') return 'resource';
  return inNamespace ? 'namespace' : 'cluster';
}

function dryRunOf({ query }: RequestInfo): string {
  if (!query.has('dryRun')) return '';
  const values = query.all('dryRun').filter((value) => value !== '');
  if (values.length === 0) return '';
  return values.every((value) => value === 'All') ? 'All' : 'invalid';
}

function isApply(verb: string, { headers }: ServerRequest): boolean {
  return verb === 'patch' && headers.get('content-type')?.includes('apply-patch') === true;
}
