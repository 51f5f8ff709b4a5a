import { decodeJsonSteps } from '@ashlar/codec';
import {
  type Ambient,
  type Authentication,
  andThen,
  goQuote,
  isJsonObject,
  type MaybePromise,
  runInSlices,
  type Steps,
} from '@ashlar/core';
import {
  type CryptoKey,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWTPayload,
} from 'jose';
import { rejectOnError } from '../tokens/reject-on-error.ts';
import { bytesOfPartSteps } from '../tokens/signed-claims.ts';
import {
  isCompactToken,
  isSignedForm,
  LONG_TOKEN,
  NONE,
  type TokenAuthenticator,
} from '../tokens/token-authenticator.ts';
import { legacyToken } from './legacy-tokens.ts';
import { accountUser, LEEWAY, type NamedObject, NamedObjects } from './named-objects.ts';
import type { ServiceAccountKey } from './service-account-keys.ts';
import type { ServiceAccountTokensOptions } from './service-account-tokens-options.ts';

/**
 * Authenticates service account tokens: requested ones, and legacy ones of secrets
 * (semantics/access#service-accounts). A token ends with its account and with the objects that it is bound
 * to.
 */
export function createServiceAccountTokens(options: ServiceAccountTokensOptions): TokenAuthenticator {
  const keys = new KeyRing(options.keys);
  return {
    hasForm: isSignedForm,
    authenticateToken: (token, audiences) =>
      andThen(issuerOf(token, options.ambient), (issuer) => {
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
      }),
  };
}

type PacedAmbient = Pick<Ambient, 'clock' | 'turns'>;

/** Returns the issuer of a token before verification; undefined for other tokens. */
function issuerOf(token: string, ambient: PacedAmbient): MaybePromise<string | undefined> {
  if (!isCompactToken(token)) return undefined;
  if (token.length > LONG_TOKEN) return runInSlices(issuerOfLong(token), ambient);
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** As `decodeJwt`, with pauses; none for claims with more values or levels than a body may have. */
function* issuerOfLong(token: string): Steps<string | undefined> {
  try {
    const bytes = yield* bytesOfPartSteps(token.split('.', 2)[1] as string);
    // the decoder of bodies replaces what is no UTF-8
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const { value: claims } = yield* decodeJsonSteps(bytes);
    return isJsonObject(claims) && typeof claims.iss === 'string' ? claims.iss : undefined;
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
    const named = this.#keys.filter(({ id }) => kid === undefined || kid === id);
    if (named.length === 0) throw new Error('invalid signature, no keys found');
    for (const key of named.filter(({ algorithm }) => algorithm === alg)) {
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
    // as the library of release 1.32 says it
    throw new Error('square/go-jose: error in cryptographic primitive');
  }
}

interface PrivateClaims {
  readonly namespace?: string;
  readonly serviceaccount?: NamedObject;
  readonly pod?: NamedObject;
  readonly node?: NamedObject;
  readonly secret?: NamedObject;
  /** Seconds since 1970, after which its owner should have asked for another one. */
  readonly warnafter?: number;
}

async function boundToken(
  claims: JWTPayload,
  options: ServiceAccountTokensOptions,
  requestedAudiences: readonly string[],
): Promise<Authentication> {
  const named = [claims.aud ?? []].flat();
  const requested = new Set(requestedAudiences);
  const audiences = named.filter((audience) => requested.has(audience));
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
  const objects = new NamedObjects(lookup, ambient.clock.now());
  await objects.requireAccount(namespace, serviceaccount);
  if (secret) await objects.requireBound('secret', namespace, secret);
  if (pod) await objects.requireBound('pod', namespace, pod);
  // the node of a pod may be deleted before the pod
  else if (node) await objects.requireBound('node', '', node);
  const domain = `authentication.${ambient.vocabulary.labelDomain}`;
  const extra = Object.entries({
    'credential-id': claims.jti === undefined ? undefined : `JTI=${claims.jti}`,
    'node-name': node?.name,
    'node-uid': node?.uid,
    'pod-name': pod?.name,
    'pod-uid': pod?.uid,
  }).flatMap(([key, value]) => (value ? [[`${domain}/${key}`, [value]] as const] : []));
  const user = accountUser(namespace, name, uid);
  const staleSeconds = Math.floor(ambient.clock.now() / 1000) - (own.warnafter ?? Number.POSITIVE_INFINITY);
  return {
    outcome: 'authenticated',
    user: extra.length > 0 ? { ...user, extra: Object.fromEntries(extra) } : user,
    audiences,
    ...(staleSeconds > 0 && {
      annotations: {
        [`${domain}/stale-token`]: `subject: ${claims.sub}, seconds after warning threshold: ${staleSeconds}`,
      },
    }),
  };
}

function requireInTime({ exp, nbf }: JWTPayload, now: number): void {
  if (exp === undefined || now > exp + LEEWAY) throw new Error('service account token has expired');
  if (nbf !== undefined && now < nbf - LEEWAY) throw new Error('service account token is not valid yet');
}
