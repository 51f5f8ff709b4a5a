import type { Random } from '@ashlar/core';
import { sha256Hex } from './sha256.ts';

const BLOCK_BYTES = 64;

/**
 * Names tokens without keeping them: HMAC-SHA-256 (RFC 2104) of a token and its audiences under a key that nobody else knows, so that
 * neither the time of a look-up nor what is kept tells anything about a token.
 */
export function createTokenDigest(random: Random): (token: string, audiences?: readonly string[]) => string {
  const key = random.bytes(new Uint8Array(BLOCK_BYTES));
  const inner = key.map((byte) => byte ^ 0x36);
  const outer = key.map((byte) => byte ^ 0x5c);
  const encoder = new TextEncoder();
  return (token, audiences) => {
    const text = encoder.encode(JSON.stringify([token, audiences ?? null]));
    return sha256Hex(joined(outer, bytesOf(sha256Hex(joined(inner, text)))));
  };
}

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
