import { type Random, toHex } from '@ashlar/core';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

const BLOCK_BYTES = 64;

/** A keyed hash of what names a token, as HMAC-SHA-256: whoever does not know the key learns nothing of the token. */
export type TokenDigest = (text: string) => string;

/** What names a token and the audiences that it is asked about, where any are named; it holds the token, and is not for keeping. */
export const tokenText = (token: string, audiences: readonly string[] | undefined): string =>
  JSON.stringify([token, audiences ?? null]);

/**
 * Names tokens without keeping them: HMAC-SHA-256 (RFC 2104) under a key that nobody else knows, so that neither the time of a look-up nor
 * what is kept tells anything about a token.
 */
export function createTokenDigest(random: Random): TokenDigest {
  const keyed = hmac.create(sha256, random.bytes(new Uint8Array(BLOCK_BYTES)));
  const encoder = new TextEncoder();
  return (text) => toHex(keyed.clone().update(encoder.encode(text)).digest());
}
