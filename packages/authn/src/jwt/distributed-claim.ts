import { callForBytes, goQuote, hasMember, isJsonObject, type JsonObject, ownMember } from '@ashlar/core';
import { readToken, verifiedClaims } from '../tokens/signed-claims.ts';
import { createIssuerKeys, type IssuerKeys, type IssuerKeysOptions } from './issuer-keys.ts';

/** Resolves a distributed claim, whose value is at an endpoint that the token names. */
export interface DistributedClaim extends Disposable {
  /**
   * Returns the claims including the resolved one.
   * @throws Error if it cannot be fetched
   */
  expand(claims: JsonObject): Promise<JsonObject>;
}

/**
 * Resolves a distributed claim (OpenID Connect Core 1.0, section 5.6.2; semantics/access#jwt): a token names
 * a source, which returns another signed token with the claim, of an issuer that is discovered like the first
 * one.
 */
export function createDistributedClaim(claim: string, options: IssuerKeysOptions): DistributedClaim {
  const issuers = new Map<string, IssuerKeys>();
  const keysOf = (url: string): IssuerKeys => {
    const { certificateAuthority } = options.issuer;
    const issuer = { url, ...(certificateAuthority !== undefined && { certificateAuthority }) };
    const keys = issuers.get(url) ?? createIssuerKeys({ ...options, issuer });
    issuers.set(url, keys);
    return keys;
  };
  return {
    async expand(claims) {
      const source = sourceOf(claims, claim);
      if (!source) return claims;
      const found = await claimsAt(source, options, keysOf);
      if (!hasMember(found, claim)) throw new Error(`the source of the claim ${goQuote(claim)} has it not`);
      return { ...claims, [claim]: ownMember(found, claim) ?? null };
    },
    [Symbol.dispose]() {
      for (const keys of issuers.values()) keys[Symbol.dispose]();
    },
  };
}

interface Source {
  readonly endpoint: string;
  readonly token: string;
}

/** Undefined if the token contains the claim itself, or no source of it. */
function sourceOf(claims: JsonObject, claim: string): Source | undefined {
  const { _claim_names: names, _claim_sources: sources } = claims;
  if (hasMember(claims, claim) || !isJsonObject(names)) return undefined;
  const name = ownMember(names, claim);
  if (typeof name !== 'string') return undefined;
  const source = isJsonObject(sources) ? ownMember(sources, name) : undefined;
  if (!isJsonObject(source)) throw new Error(`the token does not say where the claim ${goQuote(claim)} is`);
  const { endpoint, access_token: token } = source;
  // an embedded claim is ignored
  if (endpoint === undefined || endpoint === '') return undefined;
  if (typeof endpoint !== 'string' || !endpoint.startsWith('https://'))
    throw new Error(`the claim ${goQuote(claim)} is at no https address`);
  return { endpoint, token: typeof token === 'string' ? token : '' };
}

async function claimsAt(
  { endpoint, token }: Source,
  { transport, ambient: { clock }, issuer }: IssuerKeysOptions,
  keysOf: (issuer: string) => IssuerKeys,
): Promise<JsonObject> {
  const result = await callForBytes({ transport, clock }, endpoint, {
    method: 'GET',
    ...(token !== '' && { headers: { authorization: `Bearer ${token}` } }),
    ...(issuer.certificateAuthority && { tls: { certificateAuthorities: issuer.certificateAuthority } }),
  });
  const signed = new TextDecoder().decode(result).trim();
  const parts = readToken(signed);
  const { iss } = parts?.claims ?? {};
  if (!parts || typeof iss !== 'string' || !iss.startsWith('https://'))
    throw new Error('the source of a claim gives no token of an issuer');
  const keys = keysOf(iss);
  await keys.firstAttempt;
  const { audiences = [] } = issuer;
  return verifiedClaims(signed, parts.header, keys, { audiences, now: clock.now() / 1000 });
}
