import type { Metrics, ServerResponse } from '@ashlar/core';
import type { RequestScope } from '../pipeline/request-scope.ts';
import type { HealthChecks } from './health.ts';

/** Handles `/metrics` and `/metrics/slis` (semantics/discovery#metrics), for any method; returns undefined for other paths, and without metrics. */
export function answerMetrics(
  metrics: Metrics | undefined,
  { indicators }: HealthChecks,
  { info }: RequestScope,
): ServerResponse | undefined {
  const source = { '/metrics': metrics, '/metrics/slis': metrics && indicators }[info.path];
  if (!source) return undefined;
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8; escaping=values' },
    body: new TextEncoder().encode(source.text()),
  };
}
