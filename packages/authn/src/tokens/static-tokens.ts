import type { Authentication, Random } from '@ashlar/core';
import { SecretIndex } from '../bootstrap-tokens/secret-index.ts';
import { NONE, type TokenAuthenticator } from './token-authenticator.ts';
import type { StaticToken } from './token-file.ts';

/**
 * Knows a fixed set of tokens, as a token file lists them. The time of an answer tells nothing about the tokens.
 *
 * @param random gives the key under which tokens are kept
 * @example
 * const tokens = createStaticTokens(parseTokenFile(text).tokens, ambient.random);
 * const authenticator = createBearerAuthenticator(tokens);
 */
export function createStaticTokens(tokens: readonly StaticToken[], random: Random): TokenAuthenticator {
  const index = new SecretIndex<Authentication>(random);
  for (const { token, user } of tokens) index.set(token, { outcome: 'authenticated', user });
  return {
    authenticateToken: (token) => index.get(token) ?? NONE,
    prepare(token) {
      // the list never changes
      const answer = index.get(token) ?? NONE;
      return () => answer;
    },
  };
}
