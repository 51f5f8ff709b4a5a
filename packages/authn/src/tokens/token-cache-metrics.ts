import { type Clock, type Metrics, SECONDS_BOUNDS } from '@ashlar/core';

/** Metrics that token caches share (semantics/discovery#metrics). Times are those of the monotonic clock. */
export interface TokenCacheMetrics {
  /** A cache hit. */
  hit(start: number): void;
  /** Records a waiting request; the returned function ends it. */
  missed(start: number): () => void;
  /** Records a fetch; the returned function ends it with its success. */
  fetching(): (answered: boolean) => void;
}

/** @throws TypeError if these metrics are already registered */
export function createTokenCacheMetrics(metrics: Metrics, clock: Clock): TokenCacheMetrics {
  const labels = ['status'];
  const requests = metrics.counter({
    ...{ name: 'authentication_token_cache_request_total', labels },
    help: 'Number of token lookups, by cache hit or miss.',
  });
  const duration = metrics.histogram(
    {
      ...{ name: 'authentication_token_cache_request_duration_seconds', labels },
      help: 'How long it took to know a token.',
    },
    SECONDS_BOUNDS,
  );
  const fetches = metrics.counter({
    ...{ name: 'authentication_token_cache_fetch_total', labels },
    help: 'Questions after tokens that were not known, by outcome.',
  });
  const active = { blocked: 0, in_flight: 0 };
  metrics.gauge(
    {
      ...{ name: 'authentication_token_cache_active_fetch_count', labels },
      help: 'Number of active token fetches, and of requests that wait for them.',
    },
    () => Object.entries(active).map(([status, value]) => ({ labels: [status], value })),
  );
  const count = (status: string, start: number): void => {
    requests.add([status]);
    duration.observe([status], (clock.monotonic() - start) / 1000);
  };
  return {
    hit: (start) => count('hit', start),
    missed(start) {
      active.blocked++;
      return () => {
        active.blocked--;
        count('miss', start);
      };
    },
    fetching() {
      active.in_flight++;
      return (answered) => {
        active.in_flight--;
        fetches.add([answered ? 'ok' : 'error']);
      };
    },
  };
}
