import type { Metrics } from '@ashlar/core';
import type { ConcurrencyLimiter } from '../pipeline/concurrency-limiter.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** Which deprecated APIs were requested. */
interface DeprecatedRequests {
  note(info: RequestInfo, removedRelease: string): void;
}

/** Registers the gauges of requests: how many are being handled, and which deprecated APIs were requested. */
export function registerRequestGauges(metrics: Metrics, limiter: ConcurrencyLimiter): DeprecatedRequests {
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
  metrics.gauge(
    {
      name: 'apiserver_current_inqueue_requests',
      help: 'Number of requests that wait until they can be handled.',
      labels: ['request_kind'],
    },
    () => [
      { labels: ['mutating'], value: limiter.waiting('mutating') },
      { labels: ['readOnly'], value: limiter.waiting('readOnly') },
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
  return {
    note({ apiGroup, apiVersion, resource, subresource }, removedRelease) {
      const requested = [apiGroup, apiVersion, resource, subresource, removedRelease];
      deprecated.set(requested.join('\n'), requested);
    },
  };
}
