import type { JWK } from 'jose';

/**
 * Signature algorithms of service account tokens (semantics/access#service-accounts): RS256 for RSA keys,
 * otherwise by the curve.
 */
export type ServiceAccountAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

/** A key that verifies tokens. */
export interface ServiceAccountKey {
  /** SHA-256 of the public key's DER (SubjectPublicKeyInfo), base64url without padding. */
  readonly id: string;
  readonly algorithm: ServiceAccountAlgorithm;
  /** The public half (RFC 7517). */
  readonly publicKey: JWK;
}

/** A key that signs tokens. */
export interface ServiceAccountSigningKey extends ServiceAccountKey {
  readonly privateKey: JWK;
}

/** The published keys: `/openid/v1/jwks` (RFC 7517 section 5). */
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
