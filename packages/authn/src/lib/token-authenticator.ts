import type { Authentication } from '@ashlar/core';

/**
 * Tells whose a token is. Asked by the bearer authenticator and by token reviews; `none` where it knows nothing of it.
 * An answer at hand is given without a promise.
 */
export interface TokenAuthenticator {
  authenticateToken(token: string): Authentication | Promise<Authentication>;
}

/** The answer of an authenticator to which a request says nothing. */
export const NONE: Authentication = { outcome: 'none' };
