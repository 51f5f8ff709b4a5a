import { type Ambient, type Authentication, type MaybePromise, observed } from '@ashlar/core';
import { LRUCache } from 'lru-cache';
import { NONE, type TokenAuthenticator } from './token-authenticator.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';
import { createTokenDigest, type TokenDigest, tokenText } from './token-digest.ts';

export interface TokenCacheOptions {
  readonly ambient: Pick<Ambient, 'clock' | 'random'>;
  /** How long answers are cached, in milliseconds; default 10,000. 0 disables the cache. */
  readonly milliseconds?: number;
  /** Which answers are cached; default: successful ones. */
  readonly keeps?: (result: Authentication) => boolean;
  /** Hashes cached tokens; default: a portable HMAC-SHA-256. A host can pass a faster one. */
  readonly digest?: TokenDigest | undefined;
  /** Maximum number of cached results; default 32,768. */
  readonly maximum?: number;
  /** Counts hits and misses. */
  readonly metrics?: TokenCacheMetrics;
}

const isKnown = ({ outcome }: Authentication): boolean => outcome === 'authenticated';

/**
 * Caches the results of a token authenticator, and shares one call between concurrent requests of a token
 * (semantics/access#authentication). Tokens are not stored. Synchronous results are not cached, and tokens of
 * another form are not looked up.
 */
export function withTokenCache(inner: TokenAuthenticator, options: TokenCacheOptions): TokenAuthenticator {
  const { ambient, milliseconds = 10_000, keeps = isKnown, maximum = 32_768, metrics } = options;
  if (milliseconds <= 0) return inner;
  const { digest = createTokenDigest(ambient.random) } = options;
  const results = new LRUCache<string, Authentication>({
    max: maximum,
    ttl: milliseconds,
    ttlResolution: 0,
    // the cache treats a time of zero as none
    perf: { now: () => ambient.clock.monotonic() + 1 },
  });
  const waiting = new Map<string, Promise<Authentication>>();
  const settle = async (key: string, result: Promise<Authentication>): Promise<Authentication> => {
    try {
      const settled = await result;
      if (keeps(settled)) results.set(key, settled);
      return settled;
    } finally {
      waiting.delete(key);
    }
  };
  const hasForm = (token: string): boolean => inner.hasForm?.(token) ?? true;
  const fetch: typeof inner.authenticateToken = (token, audiences) => {
    const fetched = metrics?.fetching() ?? nothing;
    return observed(
      () => inner.authenticateToken(token, audiences),
      ({ outcome }) => fetched(outcome !== 'rejected'),
      () => fetched(false),
    );
  };
  const find = (
    key: string,
    token: string,
    audiences: readonly string[] | undefined,
  ): MaybePromise<Authentication> => {
    const pending = waiting.get(key);
    if (pending) return pending;
    const result = fetch(token, audiences);
    if (!(result instanceof Promise)) return result;
    const settled = settle(key, result);
    waiting.set(key, settled);
    return settled;
  };
  const lookUp = (
    key: string,
    start: number,
    token: string,
    audiences?: readonly string[],
  ): MaybePromise<Authentication> => {
    const cached = results.get(key);
    if (cached) {
      metrics?.hit(start);
      return cached;
    }
    const found = metrics?.missed(start) ?? nothing;
    return observed(() => find(key, token, audiences), found, found);
  };
  return {
    hasForm,
    authenticateToken(token, audiences) {
      if (!hasForm(token)) return NONE;
      const start = ambient.clock.monotonic();
      return lookUp(digest(tokenText(token, audiences)), start, token, audiences);
    },
    prepare(token) {
      let key: string | undefined;
      return () => {
        if (!hasForm(token)) return NONE;
        const start = ambient.clock.monotonic();
        key ??= digest(tokenText(token, undefined));
        return lookUp(key, start, token);
      };
    },
  };
}

const nothing = (): void => {};
