import { decodeJson } from '@ashlar/codec';
import {
  type Ambient,
  type Authentication,
  fromBase64Url,
  isJsonObject,
  type JsonObject,
  type Transport,
} from '@ashlar/core';
import { InvalidConfigurationError, type JwtConfiguration } from './authentication-configuration.ts';
import { createIssuerKeys, type IssuerKeys, type TokenHeader } from './issuer-keys.ts';
import { userOfClaims } from './jwt-claims.ts';
import { compileJwtRules, type JwtRules } from './jwt-rules.ts';
import { NONE, type TokenAuthenticator } from './token-authenticator.ts';
import { validateIssuer } from './validate-issuer.ts';

/** How tokens of issuers may be signed (RFC 7518 section 3.1). */
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
  readonly ambient: Pick<Ambient, 'clock' | 'vocabulary'>;
  /** How the issuer is asked for its document and its keys. */
  readonly transport: Transport;
  /** The issuer, and what its tokens say. */
  readonly configuration: JwtConfiguration;
  /** Of `jwtAlgorithms`; default RS256 alone. */
  readonly algorithms?: readonly string[];
  /** Told why the issuer cannot be found, each time it is looked for. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Knows the tokens of one issuer, and looks for it until it is closed. */
export interface JwtAuthenticator extends TokenAuthenticator, Disposable {
  /** Why tokens cannot be judged yet; undefined once the issuer has been found. */
  readonly error: Error | undefined;
}

/**
 * Knows the tokens of an issuer of OpenID Connect (specification 2, "OpenID Connect"; semantics K4): signed by a key that its
 * document leads to, for one of the audiences, in their time, and as the rules want them. Tokens of other issuers say nothing.
 *
 * @throws InvalidConfigurationError
 * @throws TypeError for an algorithm that there is not
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
  const faults = [...validateIssuer('issuer', issuer, []), ...errors];
  if (faults.length > 0) throw new InvalidConfigurationError(faults);
  const keys = createIssuerKeys({ ambient, transport, issuer, algorithms, onError });
  return {
    authenticateToken(token) {
      const parts = readToken(token);
      if (!parts || parts.claims.iss !== issuer.url) return NONE;
      return judge(token, parts.header, keys, configuration, rules, ambient);
    },
    get error() {
      return keys.error;
    },
    [Symbol.dispose]: () => keys[Symbol.dispose](),
  };
}

interface TokenParts {
  readonly header: TokenHeader;
  /** Not to be believed before the token is verified. */
  readonly claims: JsonObject;
}

/** Undefined for what is no signed token in its compact form. */
function readToken(token: string): TokenParts | undefined {
  const [header, payload, signature, more] = token.split('.');
  if (header === undefined || payload === undefined || !signature || more !== undefined) return undefined;
  try {
    const [head, claims] = [header, payload].map((part) => decodeJson(fromBase64Url(part)).value);
    if (!isJsonObject(head) || !isJsonObject(claims)) return undefined;
    const { alg, kid } = head;
    return {
      header: { ...(typeof alg === 'string' && { alg }), ...(typeof kid === 'string' && { kid }) },
      claims,
    };
  } catch {
    return undefined;
  }
}

async function judge(
  token: string,
  header: TokenHeader,
  keys: IssuerKeys,
  configuration: JwtConfiguration,
  rules: JwtRules,
  { clock, vocabulary }: JwtAuthenticatorOptions['ambient'],
): Promise<Authentication> {
  try {
    const claims = decodeJson(await keys.verified(token, header)).value as JsonObject;
    requireAudience(claims, configuration.issuer?.audiences ?? []);
    requireInTime(claims, clock.now() / 1000);
    return { outcome: 'authenticated', user: userOfClaims(claims, configuration, rules, vocabulary) };
  } catch (error) {
    return { outcome: 'rejected', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

function requireAudience({ aud }: JsonObject, audiences: readonly string[]): void {
  const named = Array.isArray(aud) ? aud : [aud];
  if (!named.some((audience) => typeof audience === 'string' && audiences.includes(audience)))
    throw new Error('the token is for another audience');
}

/** How much the clock of an issuer may be ahead, in seconds. */
const LEEWAY = 300;

function requireInTime({ exp, nbf }: JsonObject, now: number): void {
  if (typeof exp !== 'number' || now > exp) throw new Error('the token has expired');
  if (nbf === undefined || nbf === null) return;
  if (typeof nbf !== 'number' || now + LEEWAY < nbf) throw new Error('the token is not valid yet');
}
