import { byteStringText } from '@ashlar/codec';
import type { Authentication, Authenticator, Connection } from '@ashlar/core';
import { NONE, preparedQuestion, type TokenAuthenticator } from './token-authenticator.ts';

/** A parsed `Authorization` header. */
export interface BearerToken {
  readonly token?: string;
  /** For a `Warning` header. */
  readonly warning?: string;
}

const EXTRA_SPACE =
  'the provided Authorization header contains extra space before the bearer token, and is ignored';

/**
 * Parses `Authorization: Bearer <token>` (RFC 6750 section 2.1; semantics/access#authentication): a
 * case-insensitive scheme, text after the token is ignored; another scheme, a missing token, and more than
 * one space before it count as no credentials.
 *
 * @example parseBearerToken('bearer abc').token // abc
 */
export function parseBearerToken(line: string | undefined): BearerToken {
  // the usual spelling
  const usual = line !== undefined && /^bearer ([!-~]+)$/i.exec(line);
  if (usual) return { token: usual[1] as string };
  const text = trimmed(line ?? '');
  const space = text.indexOf(' ');
  if (space < 0 || text.slice(0, space).toLowerCase() !== 'bearer') return {};
  const end = text.indexOf(' ', space + 1);
  const token = text.slice(space + 1, end < 0 ? text.length : end);
  return token === '' ? { warning: EXTRA_SPACE } : { token };
}

const SPACES = '\t\n\v\f\r \u0085\u00a0';

function trimmed(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && SPACES.includes(line[start] as string)) start++;
  while (end > start && SPACES.includes(line[end - 1] as string)) end--;
  return line.slice(start, end);
}

const REJECTED: Authentication = { outcome: 'rejected', error: new Error('invalid bearer token') };

/** Authenticates requests by their bearer token. An unknown token is rejected; a request without a token is passed on. */
export function createBearerAuthenticator(tokens: TokenAuthenticator): Authenticator {
  // a connection sends the same token repeatedly
  const latest = new WeakMap<Connection, LatestToken>();
  return {
    authenticate({ headers, connection }) {
      const line = headers.get('authorization');
      if (line === undefined) return NONE;
      let last = latest.get(connection);
      if (last?.line !== line) {
        last = { line, authenticate: questionOf(tokens, line) };
        latest.set(connection, last);
      }
      if (!last.authenticate) return NONE;
      const result = last.authenticate();
      return result instanceof Promise ? result.then(rejectedIfUnknown) : rejectedIfUnknown(result);
    },
    authenticateToken: (token, audiences) => tokens.authenticateToken(token, audiences),
  };
}

/** The last `Authorization` header of a connection, with its prepared token. */
interface LatestToken {
  readonly line: string;
  /** Undefined without a token. */
  readonly authenticate: (() => Authentication | Promise<Authentication>) | undefined;
}

/** Bytes that are no UTF-8: no token has them, and others would see the same in their place. */
const NO_TEXT = /[\uDC80-\uDCFF]/u;

function questionOf(tokens: TokenAuthenticator, line: string): LatestToken['authenticate'] {
  const { token } = parseBearerToken(line);
  if (token === undefined) return undefined;
  const text = byteStringText(token);
  return NO_TEXT.test(text) ? () => REJECTED : preparedQuestion(tokens, text);
}

function rejectedIfUnknown(result: Authentication): Authentication {
  return result.outcome === 'none' ? REJECTED : result;
}
