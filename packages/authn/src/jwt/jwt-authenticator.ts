import {
  type Ambient,
  type Authentication,
  andThen,
  runInSlices,
  type Transport,
  toError,
} from '@ashlar/core';
import { readTokenSteps, verifiedClaims } from '../tokens/signed-claims.ts';
import { NONE, type TokenAuthenticator } from '../tokens/token-authenticator.ts';
import { InvalidConfigurationError, type JwtConfiguration } from './authentication-configuration.ts';
import { createDistributedClaim, type DistributedClaim } from './distributed-claim.ts';
import { createIssuerKeys, type IssuerKeys, type TokenHeader } from './issuer-keys.ts';
import { userOfClaims } from './jwt-claims.ts';
import { compileJwtRules, type JwtRules } from './jwt-rules.ts';
import { validateIssuer } from './validate-issuer.ts';

/** Signature algorithms of tokens (RFC 7518 section 3.1). */
export const jwtAlgorithms: readonly string[] = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];

export interface JwtAuthenticatorOptions {
  readonly ambient: Pick<Ambient, 'clock' | 'turns' | 'vocabulary'>;
  /** Sends requests for the discovery document and the keys. */
  readonly transport: Transport;
  /** The issuer, and the rules for its tokens. */
  readonly configuration: JwtConfiguration;
  /** Of `jwtAlgorithms`; default only RS256. */
  readonly algorithms?: readonly string[];
  /** Called with the error of each failed discovery. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Authenticates the tokens of one issuer, with discovery in the background until it is closed. */
export interface JwtAuthenticator extends TokenAuthenticator, Disposable {
  /** Why tokens cannot be verified yet; undefined once discovery has succeeded. */
  readonly error: Error | undefined;
  /** Fulfilled once discovery has succeeded. */
  readonly found: Promise<void>;
}

/**
 * Authenticates the tokens of an OpenID Connect issuer (semantics/access#jwt): signed by a key of its
 * discovery document, for one of the audiences, unexpired, and accepted by the rules. Tokens of other issuers
 * are ignored.
 *
 * @throws InvalidConfigurationError
 * @throws TypeError for an unknown algorithm
 * @example
 * using tokens = createJwtAuthenticator({
 *   ambient,
 *   transport,
 *   configuration: {
 *     issuer: { url: 'https://issuer.example', audiences: ['my-server'] },
 *     claimMappings: { username: { claim: 'sub', prefix: 'example:' } },
 *   },
 * });
 */
export function createJwtAuthenticator(options: JwtAuthenticatorOptions): JwtAuthenticator {
  const { ambient, transport, configuration, algorithms = ['RS256'], onError } = options;
  const unknown = algorithms.find((algorithm) => !jwtAlgorithms.includes(algorithm));
  if (unknown !== undefined) throw new TypeError(`tokens are not signed with ${unknown}`);
  const { issuer = {} } = configuration;
  const { rules, errors } = compileJwtRules(configuration, ambient.vocabulary, '');
  const problems = [...validateIssuer('issuer', issuer, []), ...errors];
  if (problems.length > 0) throw new InvalidConfigurationError(problems);
  const keyOptions = { ambient, transport, issuer, algorithms, onError };
  const keys = createIssuerKeys(keyOptions);
  const groups = configuration.claimMappings?.groups?.claim;
  const distributed = groups ? createDistributedClaim(groups, keyOptions) : undefined;
  return {
    authenticateToken: (token) =>
      andThen(runInSlices(readTokenSteps(token), ambient), (parts) => {
        if (!parts || parts.claims.iss !== issuer.url) return NONE;
        return authenticate(token, parts.header, { keys, distributed }, configuration, rules, ambient);
      }),
    get error() {
      return keys.error;
    },
    found: keys.found,
    [Symbol.dispose]() {
      keys[Symbol.dispose]();
      distributed?.[Symbol.dispose]();
    },
  };
}

/** Sources of keys and claims. */
interface Sources {
  readonly keys: IssuerKeys;
  readonly distributed: DistributedClaim | undefined;
}

async function authenticate(
  token: string,
  header: TokenHeader,
  { keys, distributed }: Sources,
  configuration: JwtConfiguration,
  rules: JwtRules,
  { clock, vocabulary }: JwtAuthenticatorOptions['ambient'],
): Promise<Authentication> {
  try {
    const { audiences = [] } = configuration.issuer ?? {};
    const own = await verifiedClaims(token, header, keys, { audiences, now: clock.now() / 1000 });
    const claims = distributed ? await distributed.expand(own) : own;
    return { outcome: 'authenticated', user: userOfClaims(claims, configuration, rules, vocabulary) };
  } catch (error) {
    return { outcome: 'rejected', error: toError(error) };
  }
}
