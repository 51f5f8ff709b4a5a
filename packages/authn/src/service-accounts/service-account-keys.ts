import type { JWK } from 'jose';

/** How service-account tokens are signed (semantics/access#service-accounts): RS256 by RSA keys, the others by the curve. */
export type ServiceAccountAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

/** A key with which tokens are checked. */
export interface ServiceAccountKey {
  /** SHA-256 of the public key's DER (SubjectPublicKeyInfo), base64url without padding. */
  readonly id: string;
  readonly algorithm: ServiceAccountAlgorithm;
  /** The public half (RFC 7517). */
  readonly publicKey: JWK;
}

/** A key with which tokens are signed. */
export interface ServiceAccountSigningKey extends ServiceAccountKey {
  readonly privateKey: JWK;
}

/** The keys as others fetch them: `/openid/v1/jwks` (RFC 7517 section 5). */
export function keySetDocument(keys: readonly ServiceAccountKey[]): {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
} {
  return {
    keys: keys.map(({ id, algorithm, publicKey: { kty, n, e, crv, x, y } }) => ({
      use: 'sig',
      kty,
      kid: id,
      ...(crv !== undefined && { crv }),
      alg: algorithm,
      ...(n !== undefined && { n, e }),
      ...(x !== undefined && { x, y }),
    })),
  };
}

/** Returns the discovery document of the issuer: `/.well-known/openid-configuration` (OpenID Connect Discovery 1.0; semantics/access#service-accounts). */
export function issuerDocument(
  issuer: string,
  keySetUri: string,
  keys: readonly ServiceAccountKey[],
): Readonly<Record<string, unknown>> {
  return {
    issuer,
    jwks_uri: keySetUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))].sort(),
  };
}
