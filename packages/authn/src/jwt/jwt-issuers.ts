import { type JsonValue, jsonEqual } from '@ashlar/core';
import { createUnionTokens } from '../request/union.ts';
import { isSignedForm, type TokenAuthenticator } from '../tokens/token-authenticator.ts';
import type { JwtConfiguration } from './authentication-configuration.ts';
import {
  createJwtAuthenticator,
  type JwtAuthenticator,
  type JwtAuthenticatorOptions,
} from './jwt-authenticator.ts';

/** Authenticates the tokens of several issuers, which can be changed. */
export interface JwtIssuers extends TokenAuthenticator, Disposable {
  /**
   * Replaces the issuers. Unchanged ones keep their state.
   * @throws InvalidConfigurationError; nothing has changed then
   */
  replace(configurations: readonly JwtConfiguration[]): void;
}

/**
 * Authenticates the tokens of several issuers, selected by the claim `iss` (semantics/access#jwt).
 * @param options options of each of them
 * @throws InvalidConfigurationError
 * @throws TypeError for an unknown algorithm
 */
export function createJwtIssuers(
  configurations: readonly JwtConfiguration[],
  options: Omit<JwtAuthenticatorOptions, 'configuration'>,
): JwtIssuers {
  let issuers: readonly Issuer[] = [];
  let tokens: TokenAuthenticator = createUnionTokens([]);
  const replace = (next: readonly JwtConfiguration[]): void => {
    const made = issuersOf(next, issuers, options);
    for (const old of issuers) if (!made.includes(old)) old.authenticator[Symbol.dispose]();
    issuers = made;
    tokens = createUnionTokens(made.map(({ authenticator }) => authenticator));
  };
  replace(configurations);
  return {
    replace,
    hasForm: isSignedForm,
    authenticateToken: (token, audiences) => tokens.authenticateToken(token, audiences),
    [Symbol.dispose]() {
      for (const { authenticator } of issuers) authenticator[Symbol.dispose]();
    },
  };
}

interface Issuer {
  readonly configuration: JwtConfiguration;
  readonly authenticator: JwtAuthenticator;
}

function issuersOf(
  configurations: readonly JwtConfiguration[],
  before: readonly Issuer[],
  options: Omit<JwtAuthenticatorOptions, 'configuration'>,
): readonly Issuer[] {
  const made: Issuer[] = [];
  try {
    return configurations.map((configuration) => {
      const same = before.find((issuer) => isSame(issuer.configuration, configuration));
      if (same) return same;
      const issuer = { configuration, authenticator: createJwtAuthenticator({ ...options, configuration }) };
      made.push(issuer);
      return issuer;
    });
  } catch (error) {
    for (const { authenticator } of made) authenticator[Symbol.dispose]();
    throw error;
  }
}

const isSame = (a: JwtConfiguration, b: JwtConfiguration): boolean =>
  jsonEqual(a as unknown as JsonValue, b as unknown as JsonValue);
