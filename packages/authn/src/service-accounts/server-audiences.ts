import type { Authentication } from '@ashlar/core';
import { NONE, preparedQuestion, type TokenAuthenticator } from '../tokens/token-authenticator.ts';

/**
 * Restricts tokens without audiences to those of the server: they are not valid for other requested audiences (semantics/access#tokenreview).
 * @param apiAudiences those of the server
 */
export function withServerAudiences(
  inner: TokenAuthenticator,
  apiAudiences: readonly string[],
): TokenAuthenticator {
  return {
    hasForm: (token) => inner.hasForm?.(token) ?? true,
    prepare: (token) => preparedQuestion(inner, token),
    authenticateToken(token, requestedAudiences) {
      if (!requestedAudiences || requestedAudiences.length === 0) return inner.authenticateToken(token);
      const audiences = apiAudiences.filter((audience) => requestedAudiences.includes(audience));
      if (audiences.length === 0) return NONE;
      const withAudiences = (result: Authentication): Authentication =>
        result.outcome === 'authenticated' ? { ...result, audiences } : result;
      const result = inner.authenticateToken(token);
      return result instanceof Promise ? result.then(withAudiences) : withAudiences(result);
    },
  };
}
