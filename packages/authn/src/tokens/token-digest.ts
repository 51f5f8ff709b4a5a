import { type Random, toHex } from '@ashlar/core';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

const BLOCK_BYTES = 64;

/** A keyed hash of a token, such as HMAC-SHA-256, which reveals nothing about the token without the key. */
export type TokenDigest = (text: string) => string;

/** Returns the text of a token and its requested audiences that is hashed; it contains the token and must not be stored. */
export const tokenText = (token: string, audiences: readonly string[] | undefined): string =>
  JSON.stringify([token, audiences ?? null]);

/**
 * Creates a digest by HMAC-SHA-256 (RFC 2104) with a random key, so that neither the time of a lookup nor
 * the stored digest reveals anything about a token.
 */
export function createTokenDigest(random: Random): TokenDigest {
  const keyed = hmac.create(sha256, random.bytes(new Uint8Array(BLOCK_BYTES)));
  const encoder = new TextEncoder();
  return (text) => toHex(keyed.clone().update(encoder.encode(text)).digest());
}
