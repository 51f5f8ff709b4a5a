import type { Authentication, Authenticator } from '@ashlar/core';

/**
 * Authenticates tokens. Called by the bearer authenticator and by token reviews; `none` for an unknown token.
 * Synchronous results are returned without a promise.
 */
export interface TokenAuthenticator {
  /** @param audiences one of which the token must have; default: those of the server */
  authenticateToken(token: string, audiences?: readonly string[]): Authentication | Promise<Authentication>;
  /**
   * One token, prepared for repeated authentication on a connection: what depends on the token alone is
   * computed once. Each call returns the current result.
   */
  prepare?(token: string): () => Authentication | Promise<Authentication>;
  /** Whether a token has a supported form; absent if any form may be. */
  hasForm?(token: string): boolean;
}

/**
 * Three parts separated by dots, as signed claims in compact form (RFC 7515 section 3.1); the last may be
 * empty.
 */
export function isSignedForm(token: string): boolean {
  const first = token.indexOf('.');
  const second = token.indexOf('.', first + 1);
  return first > 0 && second > 0 && !token.includes('.', second + 1);
}

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Characters of a token beyond which it is read with pauses, or not at all. */
export const LONG_TOKEN: number = 64 * 1024;

/** Maximum length of the header of a token, which is read in one piece, and again for each key; those of usual tokens have some hundred. */
const LONGEST_HEADER = 16 * 1024;

/**
 * Whether the parts are base64url without padding, line ends or anything else that decoders skip: a token has
 * only one spelling. A longer header than 16 KiB is none.
 */
export function isCompactToken(token: string): boolean {
  if (!COMPACT.test(token)) return false;
  return token.indexOf('.') <= LONGEST_HEADER && token.split('.').every((part) => part.length % 4 !== 1);
}

/** A prepared token, if the authenticator prepares them. */
export function preparedQuestion(
  authenticator: TokenAuthenticator,
  token: string,
): () => Authentication | Promise<Authentication> {
  return authenticator.prepare?.(token) ?? (() => authenticator.authenticateToken(token));
}

/** The result of an authenticator without credentials of its kind. */
export const NONE: Authentication = { outcome: 'none' };

/** Whether an authenticator can authenticate tokens. */
export function authenticatesTokens(
  authenticator: Authenticator,
): authenticator is Authenticator & TokenAuthenticator {
  return authenticator.authenticateToken !== undefined;
}
