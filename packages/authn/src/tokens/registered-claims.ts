import { goQuote, isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/**
 * Requires the types of the claims that the standards of tokens define (RFC 7519 section 4.1; OpenID Connect
 * Core 1.0, sections 2 and 5.6.2), also of those that nothing reads.
 *
 * @throws Error for the first claim of another type
 */
export function requireClaimTypes(claims: JsonObject): void {
  for (const [claim, isValid] of TYPES)
    if (!isValid(claims[claim])) throw new Error(`the claim ${goQuote(claim)} is of a wrong type`);
  requireSources(claims);
}

type Check = (value: JsonValue | undefined) => boolean;

const isTextOrNone: Check = (value) => value === undefined || value === null || typeof value === 'string';
const isTextsOrNone: Check = (value) =>
  Array.isArray(value) ? value.every(isTextOrNone) : isTextOrNone(value);
const isMapOf =
  (isValid: Check): Check =>
  (value) =>
    value === undefined || value === null || (isJsonObject(value) && Object.values(value).every(isValid));
const isSource: Check = (value) =>
  value === null || (isJsonObject(value) && isTextOrNone(value.endpoint) && isTextOrNone(value.access_token));

const TYPES: readonly (readonly [claim: string, isValid: Check])[] = [
  ['sub', isTextOrNone],
  ['aud', isTextsOrNone],
  ['exp', (value) => value === undefined || secondsOf(value) !== undefined],
  ['iat', (value) => value === undefined || secondsOf(value) !== undefined],
  ['nbf', (value) => value === undefined || value === null || secondsOf(value) !== undefined],
  ['nonce', isTextOrNone],
  ['at_hash', isTextOrNone],
  ['_claim_names', isMapOf(isTextOrNone)],
  ['_claim_sources', isMapOf(isSource)],
];

/** Each claim that is elsewhere names one of the sources, whether it is used or not. */
function requireSources({ _claim_names: names, _claim_sources: sources }: JsonObject): void {
  for (const source of Object.values(isJsonObject(names) ? names : {}))
    if (
      typeof source !== 'string' ||
      source === '' ||
      !isJsonObject(sources) ||
      !Object.hasOwn(sources, source)
    )
      throw new Error('the token does not say where its claims are');
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Times beyond are none: 64 bits cannot hold them. */
const LATEST = 2 ** 63;

/** The whole seconds of a time since 1970, a number or its text; undefined for other values. */
export function secondsOf(value: JsonValue | undefined): number | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (!isNumber && !(typeof value === 'string' && NUMBER.test(value))) return undefined;
  const seconds = Math.trunc(Number(value));
  return Math.abs(seconds) < LATEST ? seconds : undefined;
}
