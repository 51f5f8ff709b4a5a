import { concatenateBytes, type Random } from '@ashlar/core';
import { gcm } from '@noble/ciphers/aes.js';
import { DecryptionError } from './decryption-error.ts';
import { TOO_SHORT, type ValueTransformer } from './value-transformer.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES in GCM mode with random nonces: the nonce, the ciphertext, the tag. */
export function createAesGcm(key: Uint8Array, random: Random): ValueTransformer {
  return {
    fromStorage: (stored, authenticated) => ({
      plaintext: openAesGcm(key, stored, authenticated),
      isStale: false,
    }),
    toStorage: (plaintext, authenticated) => sealAesGcm(key, plaintext, authenticated, random),
  };
}

/** @throws DecryptionError if the key, the value or the authenticated data are not those of the encryption */
export function openAesGcm(key: Uint8Array, stored: Uint8Array, authenticated: Uint8Array): Uint8Array {
  if (stored.length < NONCE_BYTES) throw new DecryptionError(TOO_SHORT);
  const sealed = stored.subarray(NONCE_BYTES);
  if (sealed.length < TAG_BYTES) throw notAuthentic();
  try {
    return gcm(key, stored.subarray(0, NONCE_BYTES), authenticated).decrypt(sealed);
  } catch {
    throw notAuthentic();
  }
}

/** The nonce, the ciphertext and the tag. */
export function sealAesGcm(
  key: Uint8Array,
  plaintext: Uint8Array,
  authenticated: Uint8Array,
  random: Random,
): Uint8Array {
  const nonce = random.bytes(new Uint8Array(NONCE_BYTES));
  return concatenateBytes([nonce, gcm(key, nonce, authenticated).encrypt(plaintext)]);
}

const notAuthentic = (): DecryptionError => new DecryptionError('cipher: message authentication failed');
