import { encodeUtf8 } from '@ashlar/codec';
import type { Metrics, ServerResponse } from '@ashlar/core';
import { type Compression, gzipped } from '../encoding/compressed-response.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import type { HealthChecks } from './health.ts';

/**
 * Handles `/metrics` and `/metrics/slis` (semantics/discovery#metrics): DELETE resets, any other method collects. Returns undefined for
 * other paths, and without metrics.
 * @param started when the server started, in seconds
 */
export function metricsResponse(
  metrics: Metrics | undefined,
  { indicators }: HealthChecks,
  { info, request }: RequestScope,
  compression: Compression & { readonly started: number },
): ServerResponse | undefined {
  const source = { '/metrics': metrics, '/metrics/slis': metrics && indicators }[info.path];
  if (!source) return undefined;
  if (request.method === 'DELETE') {
    source.reset();
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: encodeUtf8('metrics reset\n'),
    };
  }
  const response: ServerResponse = {
    status: 200,
    headers: {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8; escaping=values',
      'process-start-time-unix': String(compression.started),
    },
    body: encodeUtf8(source.text()),
  };
  return acceptsSomeGzip(request.headers.get('accept-encoding'))
    ? gzipped(request, response, compression)
    : response;
}

/** Whether the header names gzip, whatever its quality: scrapers are answered so by the reference. */
function acceptsSomeGzip(header: string | undefined): boolean {
  return header?.split(',').some((token) => /^gzip(;|$)/.test(token.trim())) === true;
}
