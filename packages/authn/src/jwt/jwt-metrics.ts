import { type Clock, type Metrics, observed, toHex } from '@ashlar/core';
import { sha256 } from '@noble/hashes/sha2.js';
import { readToken } from '../tokens/signed-claims.ts';
import { LONG_TOKEN, type TokenAuthenticator } from '../tokens/token-authenticator.ts';

const BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Measures the authentication of JWTs, by issuer; tokens of unknown issuers are not counted.
 * @throws TypeError if these metrics are already registered
 */
export function withJwtMetrics(
  inner: TokenAuthenticator,
  { metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock },
): TokenAuthenticator {
  const latency = metrics.histogram(
    {
      name: 'apiserver_authentication_jwt_authenticator_latency_seconds',
      help: 'Duration of the authentication of tokens that were not cached, by outcome and issuer.',
      labels: ['result', 'jwt_issuer_hash'],
    },
    BOUNDS,
  );
  return {
    hasForm: (token) => inner.hasForm?.(token) ?? true,
    authenticateToken(token, audiences) {
      const start = clock.monotonic();
      const count = (result: string): void =>
        latency.observe([result, issuerHash(token)], (clock.monotonic() - start) / 1000);
      return observed(
        () => inner.authenticateToken(token, audiences),
        ({ outcome }) => {
          if (outcome !== 'none') count(outcome === 'authenticated' ? 'success' : 'failure');
        },
        () => count('failure'),
      );
    },
  };
}

/** Returns the hash of a token's issuer for metrics; empty for a long token, which would be read again in one piece. */
function issuerHash(token: string): string {
  if (token.length > LONG_TOKEN) return '';
  const { iss } = readToken(token)?.claims ?? {};
  return typeof iss === 'string' ? `sha256:${toHex(sha256(new TextEncoder().encode(iss)))}` : '';
}
