import { goQuote, type JsonValue, jsonEqual, unlessAborted } from '@ashlar/core';
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
   * Replaces the issuers once each new one has been found, so that no token is rejected meanwhile. Unchanged ones keep their
   * state. Calls follow one another.
   * @throws InvalidConfigurationError as a rejection; nothing has changed then
   * @param signal ends the search for new issuers
   * @throws Error as a rejection if a new issuer is not found within 60 seconds, these are closed, or the reason of the signal; nothing
   * has changed then
   */
  replace(configurations: readonly JwtConfiguration[], signal?: AbortSignal): Promise<void>;
}

/** How long new issuers are waited for. */
const FOUND_MILLISECONDS = 60_000;

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
  const closing = new AbortController();
  let issuers: readonly Issuer[] = [];
  let tokens: TokenAuthenticator = createUnionTokens([]);
  let replaced: Promise<void> = Promise.resolve();
  const use = (next: readonly Issuer[]): void => {
    close(without(issuers, next));
    issuers = next;
    tokens = createUnionTokens(next.map(({ authenticator }) => authenticator));
  };
  const replace = async (next: readonly JwtConfiguration[], signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    const listed = issuersOf(next, issuers, options);
    const added = without(listed, issuers);
    try {
      await untilFound(added, options.ambient, signal);
    } catch (error) {
      close(added);
      throw error;
    }
    use(listed);
  };
  use(issuersOf(configurations, [], options));
  return {
    replace(next, signal) {
      const ending = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
      const replaceNext = (): Promise<void> => replace(next, ending);
      replaced = replaced.then(replaceNext, replaceNext);
      return replaced;
    },
    hasForm: isSignedForm,
    authenticateToken: (token, audiences) => tokens.authenticateToken(token, audiences),
    [Symbol.dispose]() {
      closing.abort(new Error('the issuers have been closed'));
      close(issuers);
    },
  };
}

const without = (issuers: readonly Issuer[], others: readonly Issuer[]): readonly Issuer[] =>
  issuers.filter((issuer) => !others.includes(issuer));

function close(issuers: readonly Issuer[]): void {
  for (const { authenticator } of issuers) authenticator[Symbol.dispose]();
}

/** @throws Error as a rejection if one is not found in time, or with the reason of the signal */
async function untilFound(
  issuers: readonly Issuer[],
  { clock }: JwtAuthenticatorOptions['ambient'],
  signal: AbortSignal,
): Promise<void> {
  const waiting = new AbortController();
  const timer = clock.setTimer(FOUND_MILLISECONDS, () => waiting.abort(notFound(issuers)));
  const allFound = (): Promise<unknown> =>
    Promise.all(issuers.map(({ authenticator }) => authenticator.found));
  try {
    await unlessAborted(allFound, AbortSignal.any([signal, waiting.signal]));
  } finally {
    timer.clear();
  }
}

function notFound(issuers: readonly Issuer[]): Error {
  const { configuration, authenticator } = issuers.find(({ authenticator }) => authenticator.error) as Issuer;
  const name = goQuote(configuration.issuer?.url ?? '');
  return new Error(`the issuer ${name} cannot be found: ${authenticator.error?.message}`);
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
  const created: Issuer[] = [];
  try {
    return configurations.map((configuration) => {
      const same = before.find((issuer) => isSame(issuer.configuration, configuration));
      if (same) return same;
      const issuer = { configuration, authenticator: createJwtAuthenticator({ ...options, configuration }) };
      created.push(issuer);
      return issuer;
    });
  } catch (error) {
    close(created);
    throw error;
  }
}

const isSame = (a: JwtConfiguration, b: JwtConfiguration): boolean =>
  jsonEqual(a as unknown as JsonValue, b as unknown as JsonValue);
