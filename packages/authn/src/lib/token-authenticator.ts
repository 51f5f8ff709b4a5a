import type { Authentication, Authenticator } from '@ashlar/core';

/**
 * Tells whose a token is. Asked by the bearer authenticator and by token reviews; `none` where it knows nothing of it.
 * An answer at hand is given without a promise.
 */
export interface TokenAuthenticator {
  /** @param audiences of which the token must name one; without them those of the server */
  authenticateToken(token: string, audiences?: readonly string[]): Authentication | Promise<Authentication>;
}

/** The answer of an authenticator to which a request says nothing. */
export const NONE: Authentication = { outcome: 'none' };

/** Whether an authenticator can be asked about tokens. */
export function knowsTokens(
  authenticator: Authenticator,
): authenticator is Authenticator & TokenAuthenticator {
  return authenticator.authenticateToken !== undefined;
}
