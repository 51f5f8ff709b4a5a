import { concatenateBytes, type Random } from '@ashlar/core';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { DecryptionError } from './decryption-error.ts';
import { TOO_SHORT, type ValueTransformer } from './value-transformer.ts';

const NONCE_BYTES = 24;
const TAG_BYTES = 16;

/** XSalsa20 and Poly1305: the nonce, the tag, the ciphertext. It does not authenticate the key of the value. */
export function createSecretbox(key: Uint8Array, random: Random): ValueTransformer {
  return {
    fromStorage: (stored) => ({ plaintext: open(key, stored), isStale: false }),
    toStorage(plaintext) {
      const nonce = random.bytes(new Uint8Array(NONCE_BYTES));
      return concatenateBytes([nonce, xsalsa20poly1305(key, nonce).encrypt(plaintext)]);
    },
  };
}

function open(key: Uint8Array, stored: Uint8Array): Uint8Array {
  if (stored.length < NONCE_BYTES + TAG_BYTES) throw new DecryptionError(TOO_SHORT);
  const nonce = stored.subarray(0, NONCE_BYTES);
  try {
    return xsalsa20poly1305(key, nonce).decrypt(stored.subarray(NONCE_BYTES));
  } catch {
    throw new DecryptionError('output array was not large enough for encryption');
  }
}
