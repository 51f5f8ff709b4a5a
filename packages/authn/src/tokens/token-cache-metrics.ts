import { type Clock, type Metrics, SECONDS_BOUNDS } from '@ashlar/core';

/** What caches of tokens count, together (semantics/discovery#metrics). Moments are those of the monotonic clock. */
export interface TokenCacheMetrics {
  /** A token was known. */
  hit(begun: number): void;
  /** Somebody waits for an answer; called when he has it. */
  missed(begun: number): () => void;
  /** Somebody is asked; called with whether he answered. */
  fetching(): (answered: boolean) => void;
}

/** @throws TypeError where these metrics are counted already */
export function createTokenCacheMetrics(metrics: Metrics, clock: Clock): TokenCacheMetrics {
  const labels = ['status'];
  const requests = metrics.counter({
    ...{ name: 'authentication_token_cache_request_total', labels },
    help: 'Tokens that were asked about, by whether they were known.',
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
      help: 'Who asks after tokens now, and who waits for that.',
    },
    () => Object.entries(active).map(([status, value]) => ({ labels: [status], value })),
  );
  const count = (status: string, begun: number): void => {
    requests.add([status]);
    duration.observe([status], (clock.monotonic() - begun) / 1000);
  };
  return {
    hit: (begun) => count('hit', begun),
    missed(begun) {
      active.blocked++;
      return () => {
        active.blocked--;
        count('miss', begun);
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
