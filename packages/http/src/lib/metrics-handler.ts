import type { Metrics, ServerResponse } from '@ashlar/core';
import type { RequestScope } from './request-scope.ts';

/** Answers `/metrics` (semantics L6); undefined for other paths, and where nothing is counted. */
export function answerMetrics(
  metrics: Metrics | undefined,
  { info, request }: RequestScope,
): ServerResponse | undefined {
  if (!metrics || info.path !== '/metrics') return undefined;
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    body: new TextEncoder().encode(metrics.text()),
  };
}
