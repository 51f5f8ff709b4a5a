import { type Authentication, actualValueText, type Random } from '@ashlar/core';
import { SecretIndex } from './secret-index.ts';
import { NONE, type TokenAuthenticator } from './token-authenticator.ts';
import type { StaticToken } from './token-file.ts';

/**
 * Authenticates a fixed set of tokens, such as those of a token file, in constant time.
 *
 * @param random generates the key of the digests by which tokens are stored
 * @example
 * const tokens = createStaticTokens(parseTokenFile(text).tokens, ambient.random);
 * const authenticator = createBearerAuthenticator(tokens);
 */
export function createStaticTokens(tokens: readonly StaticToken[], random: Random): TokenAuthenticator {
  if (!Array.isArray(tokens))
    throw new TypeError(
      `createStaticTokens takes a list of tokens, such as parseTokenFile(text).tokens, not ${actualValueText(tokens)}`,
    );
  if (typeof random?.bytes !== 'function')
    throw new TypeError(
      `createStaticTokens takes a source of randomness, such as ambient.random, not ${actualValueText(random)}`,
    );
  const index = new SecretIndex<Authentication>(random);
  for (const { token, user } of tokens) index.set(token, { outcome: 'authenticated', user });
  return {
    authenticateToken: (token) => index.get(token) ?? NONE,
    prepare(token) {
      // the list never changes
      const result = index.get(token) ?? NONE;
      return () => result;
    },
  };
}
