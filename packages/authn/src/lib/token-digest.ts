import { type Random, toHex } from '@ashlar/core';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

const BLOCK_BYTES = 64;

/** Names a token and the audiences that it is asked about; nobody can tell a token by its name. */
export type TokenDigest = (token: string, audiences?: readonly string[]) => string;

/**
 * Names tokens without keeping them: HMAC-SHA-256 (RFC 2104) of a token and its audiences under a key that nobody else knows, so that
 * neither the time of a look-up nor what is kept tells anything about a token.
 */
export function createTokenDigest(random: Random): TokenDigest {
  const keyed = hmac.create(sha256, random.bytes(new Uint8Array(BLOCK_BYTES)));
  const encoder = new TextEncoder();
  return (token, audiences) => {
    const text = encoder.encode(JSON.stringify([token, audiences ?? null]));
    return toHex(keyed.clone().update(text).digest());
  };
}
