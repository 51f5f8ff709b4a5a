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
import type { Ambient, ApiObject, JsonValue } from '@ashlar/core';
import type { FixedDocument } from '@ashlar/http';
import type { ObjectStore } from '@ashlar/storage';

/** Options of service account tokens: issuers and keys. */
export interface ServiceAccountOptions {
  /** Accepted issuers; the first one is used for the tokens that this server issues. */
  readonly issuers: readonly [string, ...string[]];
  /** Key that signs tokens. */
  readonly signingKey: ServiceAccountSigningKey;
  /** Keys that verify tokens; default: the signing key only. */
  readonly keys?: readonly ServiceAccountKey[];
  /** Maximum validity duration of a token, in seconds. */
  readonly maxExpirationSeconds?: number;
  /** Whether automatically mounted tokens are valid for a year, and their use after an hour is recorded; default true. */
  readonly extendsMounted?: boolean;
  /** Whether legacy tokens are valid only as long as their secret exists; default true. */
  readonly lookup?: boolean;
  /** URL of the key set in the discovery document; default: that of this server, or below the issuer if it does not know its address. */
  readonly keySetUri?: string;
}

/** Returns the audiences of a server: those given, or by default all issuers whose tokens it accepts. */
export function audiencesOf(
  apiAudiences: readonly string[] | undefined,
  serviceAccounts: ServiceAccountOptions | undefined,
): readonly string[] {
  return apiAudiences ?? serviceAccounts?.issuers ?? [];
}

/** Returns the options of the TokenRequest subresource. */
export function tokenRequestOptions(
  { issuers, signingKey, maxExpirationSeconds, extendsMounted }: ServiceAccountOptions,
  apiAudiences: readonly string[],
  ambient: Ambient,
): TokenRequestOptions {
  return {
    issuer: createServiceAccountTokenIssuer(issuers[0], signingKey, ambient),
    apiAudiences,
    now: () => ambient.clock.now(),
    ...(maxExpirationSeconds !== undefined && { maxExpirationSeconds }),
    ...(extendsMounted !== undefined && { extendsMounted }),
  };
}

interface StoredTokenOptions {
  readonly ambient: Ambient;
  readonly apiAudiences: readonly string[];
  readonly secretUsed?: ((secret: ApiObject) => void) | undefined;
}

/** Creates the authenticator of service account tokens over a store. */
export function storedServiceAccountTokens(
  store: ObjectStore,
  { issuers, signingKey, keys = [signingKey], lookup = true }: ServiceAccountOptions,
  { secretUsed, ...own }: StoredTokenOptions,
): TokenAuthenticator {
  return createServiceAccountTokens({
    ...own,
    ...(secretUsed && { secretUsed }),
    issuers,
    keys,
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
const KEY_SET_PATH = '/openid/v1/jwks';

/**
 * Returns the discovery documents by which others verify tokens of this server; none unless the issuer is an https URL (semantics/access#service-accounts).
 * @param serverAddress where clients reach this server, once that is known
 */
export function issuerDocuments(
  { issuers: [issuer], signingKey, keys = [signingKey], keySetUri }: ServiceAccountOptions,
  serverAddress: () => string = () => '',
): readonly FixedDocument[] {
  const keySetAt = (address: string): string => `${address ? `https://${address}` : issuer}${KEY_SET_PATH}`;
  if (!issuer.startsWith('https://')) return [];
  return [
    {
      path: '/.well-known/openid-configuration',
      mediaType: 'application/json',
      get content() {
        return issuerDocument(issuer, keySetUri ?? keySetAt(serverAddress()), keys) as JsonValue;
      },
      maxAgeSeconds: HOUR,
      operation: {
        id: 'getServiceAccountIssuerOpenIDConfiguration',
        tag: 'WellKnown',
        description: 'Read where the issuer of service account tokens publishes its keys',
      },
    },
    {
      path: KEY_SET_PATH,
      mediaType: 'application/jwk-set+json',
      content: keySetDocument(keys) as unknown as JsonValue,
      maxAgeSeconds: HOUR,
      operation: {
        id: 'getServiceAccountIssuerOpenIDKeyset',
        tag: 'openid',
        description: 'Read the keys that verify tokens of service accounts',
      },
    },
  ];
}
