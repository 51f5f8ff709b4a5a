import { type Ambient, randomUuid, serviceAccountUserName } from '@ashlar/core';
import { type CryptoKey, importJWK, SignJWT } from 'jose';
import type { ServiceAccountSigningKey } from './service-account-keys.ts';

/** An object that a token is bound to. */
export interface BoundObject {
  readonly name: string;
  /** Absent for a node that does not exist. */
  readonly uid?: string;
}

/** Claims of a token. Times are in seconds since 1970. */
export interface ServiceAccountClaims {
  readonly namespace: string;
  readonly serviceAccount: Required<BoundObject>;
  readonly pod?: BoundObject;
  readonly node?: BoundObject;
  readonly secret?: BoundObject;
  readonly audiences: readonly string[];
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Time after which its use is reported as stale: for tokens that are valid longer than requested. */
  readonly warnAfter?: number;
}

/** Issues service account tokens. */
export interface ServiceAccountTokenIssuer {
  issue(claims: ServiceAccountClaims): Promise<string>;
}

/**
 * Signs tokens of service accounts (semantics/access#service-accounts; RFC 7519).
 * @param issuer the claim `iss`
 */
export function createServiceAccountTokenIssuer(
  issuer: string,
  key: ServiceAccountSigningKey,
  { random, vocabulary }: Pick<Ambient, 'random' | 'vocabulary'>,
): ServiceAccountTokenIssuer {
  let signing: Promise<CryptoKey | Uint8Array> | undefined;
  return {
    async issue(claims) {
      signing ??= importJWK(key.privateKey, key.algorithm);
      const { namespace, serviceAccount, audiences, issuedAt, expiresAt } = claims;
      return new SignJWT({
        aud: [...audiences],
        exp: expiresAt,
        iat: issuedAt,
        iss: issuer,
        jti: randomUuid(random),
        nbf: issuedAt,
        sub: serviceAccountUserName({ namespace, name: serviceAccount.name }),
        [vocabulary.labelDomain]: privateClaims(claims),
      })
        .setProtectedHeader({ alg: key.algorithm, kid: key.id })
        .sign(await signing);
    },
  };
}

function privateClaims(claims: ServiceAccountClaims): Readonly<Record<string, unknown>> {
  const { namespace, serviceAccount, pod, node, secret, warnAfter } = claims;
  return {
    namespace,
    ...(node && { node }),
    ...(pod && { pod }),
    ...(secret && { secret }),
    serviceaccount: serviceAccount,
    ...(warnAfter !== undefined && { warnafter: warnAfter }),
  };
}
