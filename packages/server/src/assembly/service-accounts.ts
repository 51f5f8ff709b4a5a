import type { TokenRequestOptions } from '@ashlar/apis';
import {
  createServiceAccountTokenIssuer,
  createServiceAccountTokens,
  issuerDocument,
  keySetDocument,
  type ServiceAccountKey,
  type ServiceAccountSigningKey,
  type TokenAuthenticator,
} from '@ashlar/authn';
import type { Ambient, JsonValue } from '@ashlar/core';
import type { FixedDocument } from '@ashlar/http';
import type { ObjectStore } from '@ashlar/storage';

/** Tokens of service accounts: who issues them, and with which keys. */
export interface ServiceAccountOptions {
  /** Issuers whose tokens are taken; the first one is this server. */
  readonly issuers: readonly [string, ...string[]];
  /** With which tokens are made. */
  readonly signingKey: ServiceAccountSigningKey;
  /** With which tokens are checked; default: the signing key alone. */
  readonly keys?: readonly ServiceAccountKey[];
  /** Longest life of a token, in seconds. */
  readonly maxExpirationSeconds?: number;
  /** Whether tokens of secrets end with their secret; default true. */
  readonly lookup?: boolean;
  /** Where the keys are published; default: below the issuer. */
  readonly keySetUri?: string;
}

/** The audiences of a server: as told, else its issuer. */
export function audiencesOf(
  apiAudiences: readonly string[] | undefined,
  serviceAccounts: ServiceAccountOptions | undefined,
): readonly string[] {
  return apiAudiences ?? (serviceAccounts ? [serviceAccounts.issuers[0]] : []);
}

/** How tokens are made. */
export function tokenRequestOptions(
  { issuers, signingKey, maxExpirationSeconds }: ServiceAccountOptions,
  apiAudiences: readonly string[],
  ambient: Ambient,
): TokenRequestOptions {
  return {
    issuer: createServiceAccountTokenIssuer(issuers[0], signingKey, ambient),
    apiAudiences,
    now: () => ambient.clock.now(),
    ...(maxExpirationSeconds !== undefined && { maxExpirationSeconds }),
  };
}

/** Knows the tokens of the service accounts in a store. */
export function storedServiceAccountTokens(
  store: ObjectStore,
  { issuers, signingKey, keys = [signingKey], lookup = true }: ServiceAccountOptions,
  apiAudiences: readonly string[],
  ambient: Ambient,
): TokenAuthenticator {
  return createServiceAccountTokens({
    ambient,
    issuers,
    keys,
    apiAudiences,
    lookUpLegacy: lookup,
    lookup: {
      async get(resource, namespace, name) {
        const key = resource === 'nodes' ? `/${resource}/${name}` : `/${resource}/${namespace}/${name}`;
        return (await store.get(key))?.object;
      },
    },
  });
}

const HOUR = 3_600;

/** What others need to check tokens of this server; only an issuer that is an https URL can be found by them (semantics/access#service-accounts). */
export function issuerDocuments({
  issuers: [issuer],
  signingKey,
  keys = [signingKey],
  keySetUri = `${issuer}/openid/v1/jwks`,
}: ServiceAccountOptions): readonly FixedDocument[] {
  if (!issuer.startsWith('https://')) return [];
  return [
    {
      path: '/.well-known/openid-configuration',
      mediaType: 'application/json',
      content: issuerDocument(issuer, keySetUri, keys) as JsonValue,
      maxAgeSeconds: HOUR,
    },
    {
      path: '/openid/v1/jwks',
      mediaType: 'application/jwk-set+json',
      content: keySetDocument(keys) as unknown as JsonValue,
      maxAgeSeconds: HOUR,
    },
  ];
}
