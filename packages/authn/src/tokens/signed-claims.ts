import { type DecodedJson, decodeJson, decodeJsonSteps, type JsonDecodeOptions } from '@ashlar/codec';
import {
  decodeBase64Steps,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  runAtOnce,
  type Steps,
} from '@ashlar/core';
import type { IssuerKeys, TokenHeader } from '../jwt/issuer-keys.ts';
import { requireClaimTypes, secondsOf } from './registered-claims.ts';
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
    // of a field that is there twice readers could take another one each
    const { value: head, duplicates } = yield* partSteps(first, { duplicates: 'report' });
    const { value: claims } = yield* partSteps(second);
    if (duplicates.length > 0 || !isJsonObject(head) || !isJsonObject(claims)) return undefined;
    const header = headerOf(head);
    return header && { header, claims };
  } catch {
    return undefined;
  }
}

function* partSteps(part: string, options?: JsonDecodeOptions): Steps<DecodedJson> {
  return yield* decodeJsonSteps(yield* bytesOfPartSteps(part), options);
}

/** Undefined if a field is of a wrong type, or the payload is not encoded (RFC 7797). */
function headerOf({ alg, kid, b64 }: JsonObject): TokenHeader | undefined {
  const isText = (value: JsonValue | undefined): boolean => value === undefined || typeof value === 'string';
  if (!isText(alg) || !isText(kid ?? undefined) || b64 === false) return undefined;
  return { ...(typeof alg === 'string' && { alg }), ...(typeof kid === 'string' && kid !== '' && { kid }) };
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
  requireClaimTypes(claims);
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
const LEEWAY = 60;

function requireInTime({ exp, nbf }: JsonObject, now: number): void {
  const end = secondsOf(exp);
  if (end === undefined || now > end) throw new Error('the token has expired');
  const start = secondsOf(nbf);
  if (start !== undefined && now + LEEWAY < start) throw new Error('the token is not valid yet');
}
