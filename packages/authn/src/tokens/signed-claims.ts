import { decodeJson, decodeJsonSteps } from '@ashlar/codec';
import {
  decodeBase64Steps,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  runAtOnce,
  type Steps,
} from '@ashlar/core';
import type { IssuerKeys, TokenHeader } from '../jwt/issuer-keys.ts';
import { isCompactToken } from './token-authenticator.ts';

/** The decoded parts of a signed token in compact form (RFC 7515); its signature has not been verified. */
export interface UnverifiedToken {
  readonly header: TokenHeader;
  /** Not to be trusted before the token is verified. */
  readonly claims: JsonObject;
}

/** Undefined for anything but a signed token in compact form. */
export function readToken(token: string): UnverifiedToken | undefined {
  return runAtOnce(readTokenSteps(token));
}

/** As {@link readToken}, with pauses. */
export function* readTokenSteps(token: string): Steps<UnverifiedToken | undefined> {
  if (!isCompactToken(token) || token.endsWith('.')) return undefined;
  try {
    const [first = '', second = ''] = token.split('.', 2);
    const head = yield* partSteps(first);
    const claims = yield* partSteps(second);
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

function* partSteps(part: string): Steps<JsonValue> {
  return (yield* decodeJsonSteps(yield* bytesOfPartSteps(part))).value;
}

/** Decodes a part of a token in compact form, with pauses. @throws Error if it is not base64url */
export function bytesOfPartSteps(part: string): Steps<Uint8Array> {
  const digits = part.replaceAll('-', '+').replaceAll('_', '/');
  return decodeBase64Steps(digits.padEnd(4 * Math.ceil(digits.length / 4), '='));
}

/**
 * The claims of a token that a key of its issuer signed, for one of the audiences and unexpired.
 * @param now seconds since 1970
 * @throws Error for any other token
 */
export async function verifiedClaims(
  token: string,
  header: TokenHeader,
  keys: IssuerKeys,
  { audiences, now }: { readonly audiences: readonly string[]; readonly now: number },
): Promise<JsonObject> {
  const claims = decodeJson(await keys.verified(token, header)).value;
  if (!isJsonObject(claims)) throw new Error('the token holds no claims');
  requireAudience(claims, audiences);
  requireInTime(claims, now);
  return claims;
}

function requireAudience({ aud }: JsonObject, audiences: readonly string[]): void {
  const named = Array.isArray(aud) ? aud : [aud];
  if (!named.some((audience) => typeof audience === 'string' && audiences.includes(audience)))
    throw new Error('the token is for another audience');
}

/** Maximum clock skew of an issuer, in seconds. */
const LEEWAY = 300;

function requireInTime({ exp, nbf }: JsonObject, now: number): void {
  if (typeof exp !== 'number' || now > exp) throw new Error('the token has expired');
  if (nbf === undefined || nbf === null) return;
  if (typeof nbf !== 'number' || now + LEEWAY < nbf) throw new Error('the token is not valid yet');
}
