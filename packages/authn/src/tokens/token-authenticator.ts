import type { Authentication, Authenticator } from '@ashlar/core';

/**
 * Tells whose a token is. Asked by the bearer authenticator and by token reviews; `none` where it knows nothing of it.
 * Synchronous answers are returned without a promise.
 */
export interface TokenAuthenticator {
  /** @param audiences of which the token must name one; without them those of the server */
  authenticateToken(token: string, audiences?: readonly string[]): Authentication | Promise<Authentication>;
  /**
   * A question about one token, to be asked again and again as long as a connection sends it: whatever depends on the token alone is
   * computed once. Each call gives the answer of that moment.
   */
  prepare?(token: string): () => Authentication | Promise<Authentication>;
  /** Whether a token has the form of those that may be known here; absent if any form may be. */
  hasForm?(token: string): boolean;
}

/** Three parts with a dot between them, as signed claims are written in their compact form (RFC 7515 section 3.1); the last may be empty. */
export function isSignedForm(token: string): boolean {
  const first = token.indexOf('.');
  const second = token.indexOf('.', first + 1);
  return first > 0 && second > 0 && !token.includes('.', second + 1);
}

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/**
 * Whether the parts are base64url without padding, line ends or anything else that decoders skip: one token is spelled in one
 * way.
 */
export function isCompactToken(token: string): boolean {
  return COMPACT.test(token) && token.split('.').every((part) => part.length % 4 !== 1);
}

/** The question about one token, prepared where the authenticator prepares them. */
export function preparedQuestion(
  authenticator: TokenAuthenticator,
  token: string,
): () => Authentication | Promise<Authentication> {
  return authenticator.prepare?.(token) ?? (() => authenticator.authenticateToken(token));
}

/** The answer of an authenticator that finds no credentials of its kind. */
export const NONE: Authentication = { outcome: 'none' };

/** Whether an authenticator can authenticate tokens. */
export function knowsTokens(
  authenticator: Authenticator,
): authenticator is Authenticator & TokenAuthenticator {
  return authenticator.authenticateToken !== undefined;
}
