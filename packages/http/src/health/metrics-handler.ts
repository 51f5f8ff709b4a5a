import type { Metrics, ServerResponse } from '@ashlar/core';
import { type Compression, gzipped } from '../encoding/compressed-response.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import type { HealthChecks } from './health.ts';

/**
 * Handles `/metrics` and `/metrics/slis` (semantics/discovery#metrics), for any method (semantics/differences#metrics). Returns undefined for
 * other paths, and without metrics.
 */
export function metricsResponse(
  metrics: Metrics | undefined,
  { indicators }: HealthChecks,
  { info, request }: RequestScope,
  compression: Compression,
): ServerResponse | undefined {
  const source = { '/metrics': metrics, '/metrics/slis': metrics && indicators }[info.path];
  if (!source) return undefined;
  const response: ServerResponse = {
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8; escaping=values' },
    body: new TextEncoder().encode(source.text()),
  };
  return acceptsSomeGzip(request.headers.get('accept-encoding'))
    ? gzipped(request, response, compression)
    : response;
}

/** Whether the header names gzip, whatever its quality: scrapers are answered so by the reference. */
function acceptsSomeGzip(header: string | undefined): boolean {
  return header?.split(',').some((token) => /^gzip(;|$)/.test(token.trim())) === true;
}
