import { concatenateBytes } from '@ashlar/core';
import type { AesGcmCipher, AesGcmSources } from './aes-gcm-cipher.ts';
import { DecryptionError } from './decryption-error.ts';
import { TOO_SHORT, type ValueTransformer } from './value-transformer.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES in GCM mode with random nonces: the nonce, the ciphertext, the tag. */
export function createAesGcm(key: Uint8Array, sources: AesGcmSources): ValueTransformer {
  return {
    fromStorage: (stored, authenticated) => ({
      plaintext: openAesGcm(sources.cipher, key, stored, authenticated),
      isStale: false,
    }),
    toStorage: (plaintext, authenticated) => sealAesGcm(key, plaintext, authenticated, sources),
  };
}

/** @throws DecryptionError if the key, the value or the authenticated data are not those of the encryption */
export function openAesGcm(
  cipher: AesGcmCipher,
  key: Uint8Array,
  stored: Uint8Array,
  authenticated: Uint8Array,
): Uint8Array {
  if (stored.length < NONCE_BYTES) throw new DecryptionError(TOO_SHORT);
  const sealed = stored.subarray(NONCE_BYTES);
  if (sealed.length < TAG_BYTES) throw notAuthentic();
  try {
    return cipher.decrypt(key, stored.subarray(0, NONCE_BYTES), sealed, authenticated);
  } catch {
    throw notAuthentic();
  }
}

/** The nonce, the ciphertext and the tag. */
export function sealAesGcm(
  key: Uint8Array,
  plaintext: Uint8Array,
  authenticated: Uint8Array,
  { random, cipher }: AesGcmSources,
): Uint8Array {
  const nonce = random.bytes(new Uint8Array(NONCE_BYTES));
  return concatenateBytes([nonce, cipher.encrypt(key, nonce, plaintext, authenticated)]);
}

const notAuthentic = (): DecryptionError => new DecryptionError('cipher: message authentication failed');
