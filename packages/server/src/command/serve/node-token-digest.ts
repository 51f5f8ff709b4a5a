import { createHmac, createSecretKey } from 'node:crypto';
import type { TokenDigest } from '@ashlar/authn';
import type { Random } from '@ashlar/core';

const KEY_BYTES = 64;

/** Creates a digest by HMAC-SHA-256 (RFC 2104) of `node:crypto`, which is several times as fast as one in JavaScript. */
export function createNodeTokenDigest(random: Random): TokenDigest {
  const key = createSecretKey(random.bytes(new Uint8Array(KEY_BYTES)));
  return (text) => createHmac('sha256', key).update(text).digest('base64');
}
