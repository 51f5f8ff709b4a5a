import type { Authentication, Authenticator } from '@ashlar/core';
import { NONE, type TokenAuthenticator } from './token-authenticator.ts';

/** What an `Authorization` line says of a bearer token. */
export interface BearerToken {
  readonly token?: string;
  /** For the caller, in a `Warning` header. */
  readonly warning?: string;
}

const EXTRA_SPACE =
  'the provided Authorization header contains extra space before the bearer token, and is ignored';

/**
 * Reads `Authorization: Bearer <token>` (RFC 6750 section 2.1; semantics K1): the scheme in any case, text behind the token
 * is not read; another scheme, no token, and more than one space before it are no credentials.
 *
 * @example parseBearerToken('bearer abc').token // abc
 */
export function parseBearerToken(line: string | undefined): BearerToken {
  // how nearly every line is written
  const usual = line !== undefined && /^bearer ([!-~]+)$/i.exec(line);
  if (usual) return { token: usual[1] as string };
  const parts = (line ?? '')
    .replace(/^[\t\n\v\f\r \u0085\u00a0]+|[\t\n\v\f\r \u0085\u00a0]+$/g, '')
    .split(' ');
  const [scheme, token] = parts as [string, string | undefined];
  if (token === undefined || scheme.toLowerCase() !== 'bearer') return {};
  if (token === '') return { warning: EXTRA_SPACE };
  return { token };
}

const REJECTED: Authentication = { outcome: 'rejected', error: new Error('invalid bearer token') };

/** Authenticates requests by their bearer token. A token that nobody knows is rejected; a request without one says nothing. */
export function createBearerAuthenticator(tokens: TokenAuthenticator): Authenticator {
  return {
    authenticate(request) {
      const line = request.headers.get('authorization');
      const token = line === undefined ? undefined : parseBearerToken(line).token;
      if (token === undefined) return NONE;
      const answer = tokens.authenticateToken(token);
      return answer instanceof Promise ? answer.then(rejectedIfUnknown) : rejectedIfUnknown(answer);
    },
    authenticateToken: (token, audiences) => tokens.authenticateToken(token, audiences),
  };
}

function rejectedIfUnknown(answer: Authentication): Authentication {
  return answer.outcome === 'none' ? REJECTED : answer;
}
