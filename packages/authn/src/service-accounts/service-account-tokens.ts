import { type Ambient, type ApiObject, type Authentication, goQuote, type UserInfo } from '@ashlar/core';
import {
  type CryptoKey,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWTPayload,
} from 'jose';
import { rejectOnError } from '../tokens/reject-on-error.ts';
import { equalInConstantTime } from '../tokens/secret-index.ts';
import {
  isCompactToken,
  isSignedForm,
  NONE,
  type TokenAuthenticator,
} from '../tokens/token-authenticator.ts';
import type { ServiceAccountKey } from './service-account-keys.ts';

/** Reads the current objects that a token names. */
export interface BoundObjectLookup {
  get(
    resource: 'serviceaccounts' | 'secrets' | 'pods' | 'nodes',
    namespace: string,
    name: string,
  ): Promise<ApiObject | undefined>;
}

export interface ServiceAccountTokensOptions {
  readonly ambient: Pick<Ambient, 'clock' | 'vocabulary'>;
  /** Accepted issuers; the first one is this server. */
  readonly issuers: readonly string[];
  readonly keys: readonly ServiceAccountKey[];
  readonly apiAudiences: readonly string[];
  readonly lookup: BoundObjectLookup;
  /**
   * Whether tokens of secrets end with their secret; default true. Other tokens always end with the objects
   * that they are bound to.
   */
  readonly lookUpLegacy?: boolean;
}

/** Maximum clock skew, in seconds. */
const LEEWAY = 60;

/**
 * Authenticates service account tokens: requested ones, and legacy ones of secrets
 * (semantics/access#service-accounts). A token ends with its account and with the objects that it is bound
 * to.
 */
export function createServiceAccountTokens(options: ServiceAccountTokensOptions): TokenAuthenticator {
  const keys = new KeyRing(options.keys);
  return {
    hasForm: isSignedForm,
    authenticateToken: (token, audiences) => {
      const issuer = issuerOf(token);
      if (issuer === undefined) return NONE;
      const { vocabulary } = options.ambient;
      const isLegacy = issuer === `${vocabulary.name}/serviceaccount`;
      if (!isLegacy && !options.issuers.includes(issuer)) return NONE;
      return rejectOnError(async () => {
        const claims = await keys.verified(token);
        return isLegacy
          ? legacyToken(token, claims, options, audiences)
          : boundToken(claims, options, audiences ?? options.apiAudiences);
      });
    },
  };
}

/** Returns the claims of a token before verification; undefined for other tokens. */
function issuerOf(token: string): string | undefined {
  if (!isCompactToken(token)) return undefined;
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** Keys by name; a token without a key name is tried with all. */
class KeyRing {
  readonly #keys: readonly ServiceAccountKey[];
  readonly #imported: Map<ServiceAccountKey, Promise<CryptoKey | Uint8Array>> = new Map();

  constructor(keys: readonly ServiceAccountKey[]) {
    this.#keys = keys;
  }

  async verified(token: string): Promise<JWTPayload> {
    const { kid, alg } = decodeProtectedHeader(token);
    const candidates = this.#keys.filter(
      ({ id, algorithm }) => algorithm === alg && (kid === undefined || kid === id),
    );
    for (const key of candidates) {
      let imported = this.#imported.get(key);
      if (!imported) {
        imported = importJWK(key.publicKey, key.algorithm);
        this.#imported.set(key, imported);
      }
      try {
        const { payload } = await compactVerify(token, await imported, { algorithms: [key.algorithm] });
        return JSON.parse(new TextDecoder().decode(payload)) as JWTPayload;
      } catch {
        // another key may match
      }
    }
    throw new Error('no key of this server signed the token');
  }
}

interface Named {
  readonly name?: string;
  readonly uid?: string;
}

interface PrivateClaims {
  readonly namespace?: string;
  readonly serviceaccount?: Named;
  readonly pod?: Named;
  readonly node?: Named;
  readonly secret?: Named;
}

async function boundToken(
  claims: JWTPayload,
  options: ServiceAccountTokensOptions,
  requestedAudiences: readonly string[],
): Promise<Authentication> {
  const named = [claims.aud ?? []].flat();
  const audiences = named.filter((audience) => requestedAudiences.includes(audience));
  if (audiences.length === 0) {
    const list = (texts: readonly string[]): string => `[${texts.map(goQuote).join(' ')}]`;
    throw new Error(
      `token audiences ${list(named)} is invalid for the target audiences ${list(requestedAudiences)}`,
    );
  }
  const { ambient, lookup } = options;
  requireInTime(claims, ambient.clock.now() / 1000);
  const own = (claims[ambient.vocabulary.labelDomain] ?? {}) as PrivateClaims;
  const { namespace = '', serviceaccount = {}, pod, node, secret } = own;
  const { name = '', uid = '' } = serviceaccount;
  const alive = (resource: Parameters<BoundObjectLookup['get']>[0], within: string, bound: Named) =>
    requireAlive(lookup, resource, within, bound, ambient.clock.now());
  await alive('serviceaccounts', namespace, serviceaccount);
  if (secret) await alive('secrets', namespace, secret);
  if (pod) await alive('pods', namespace, pod);
  // the node of a pod may be deleted before the pod
  else if (node) await alive('nodes', '', node);
  const domain = `authentication.${ambient.vocabulary.labelDomain}`;
  const extra = Object.entries({
    'credential-id': claims.jti === undefined ? undefined : `JTI=${claims.jti}`,
    'node-name': node?.name,
    'node-uid': node?.uid,
    'pod-name': pod?.name,
    'pod-uid': pod?.uid,
  }).flatMap(([key, value]) => (value ? [[`${domain}/${key}`, [value]] as const] : []));
  const user = accountUser(namespace, name, uid);
  return {
    outcome: 'authenticated',
    user: extra.length > 0 ? { ...user, extra: Object.fromEntries(extra) } : user,
    audiences,
  };
}

function accountUser(namespace: string, name: string, uid: string): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    ...(uid !== '' && { uid }),
  };
}

function requireInTime({ exp, nbf }: JWTPayload, now: number): void {
  if (exp === undefined || now > exp + LEEWAY) throw new Error('service account token has expired');
  if (nbf !== undefined && now < nbf - LEEWAY) throw new Error('service account token is not valid yet');
}

async function requireAlive(
  lookup: BoundObjectLookup,
  resource: 'serviceaccounts' | 'secrets' | 'pods' | 'nodes',
  namespace: string,
  { name = '', uid }: Named,
  now: number,
): Promise<ApiObject> {
  const object = await lookup.get(resource, namespace, name);
  if (!object) throw new Error(`the token is bound to ${resource} ${goQuote(name)}, which is gone`);
  if (uid && object.metadata.uid !== uid)
    throw new Error(`the token is bound to another ${resource} ${goQuote(name)}`);
  const { deletionTimestamp } = object.metadata;
  if (deletionTimestamp && now > Date.parse(deletionTimestamp) + LEEWAY * 1000)
    throw new Error(`the token is bound to ${resource} ${goQuote(name)}, which was deleted`);
  return object;
}

/** A token in a secret, without an expiry. */
async function legacyToken(
  token: string,
  claims: JWTPayload,
  options: ServiceAccountTokensOptions,
  requestedAudiences: readonly string[] | undefined,
): Promise<Authentication> {
  const { ambient, lookup, lookUpLegacy = true, apiAudiences } = options;
  const audiences =
    requestedAudiences && apiAudiences.filter((audience) => requestedAudiences.includes(audience));
  if (audiences?.length === 0) return NONE;
  const claim = (name: string): string => {
    const value = claims[`${ambient.vocabulary.labelDomain}/serviceaccount/${name}`];
    if (typeof value !== 'string' || value === '') throw new Error(`the token has no ${name}`);
    return value;
  };
  const namespace = claim('namespace');
  const name = claim('service-account.name');
  const uid = claim('service-account.uid');
  if (lookUpLegacy) {
    const secretName = claim('secret.name');
    const secret = await requireAlive(
      lookup,
      'secrets',
      namespace,
      { name: secretName },
      ambient.clock.now(),
    );
    const storedToken = (secret.data as Readonly<Record<string, string>> | undefined)?.token ?? '';
    if (!equalInConstantTime(atob(storedToken), token))
      throw new Error('the token is not that of its secret');
    await requireAlive(lookup, 'serviceaccounts', namespace, { name, uid }, ambient.clock.now());
  }
  return {
    outcome: 'authenticated',
    user: accountUser(namespace, name, uid),
    ...(audiences && { audiences }),
  };
}
