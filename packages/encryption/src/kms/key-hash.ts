import { toHex } from '@ashlar/core';
import { sha256 } from '@noble/hashes/sha2.js';

const encoder = new TextEncoder();

/** The hash of a key's id as messages and metrics name it: `sha256:…`; empty for an empty id. */
export function keyHash(keyId: string): string {
  return keyId === '' ? '' : `sha256:${toHex(sha256(encoder.encode(keyId)))}`;
}
